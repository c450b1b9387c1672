// SPDX-License-Identifier: Apache-2.0
// A handle of MTCL's, for C. What goes wrong is said by a return value below 0, as in MTCL.
#ifndef VERBENA_PEER_MTCL_HANDLE_H
#define VERBENA_PEER_MTCL_HANDLE_H

#include <stddef.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// Begins with MTCL and its protocols.
void mtcl_begin(const char* name);
int mtcl_listen(const char* address);
// Waits for who connects.
int mtcl_accept(void);
// Connects with who listens.
int mtcl_connect(const char* address);

// A whole message each.
ssize_t mtcl_send(const void* message, size_t size);
ssize_t mtcl_receive(void* message, size_t room);

#ifdef __cplusplus
}
#endif

#endif
