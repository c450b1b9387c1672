// SPDX-License-Identifier: Apache-2.0
// The conversation with the suite (tools/bench/peers/README.md), and options on the command line.
#ifndef VERBENA_PEER_CONVERSATION_H
#define VERBENA_PEER_CONVERSATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The value of --name=value, which must be there.
const char* peer_option(int argc, char** argv, const char* name);
void peer_say(const char* role, const char* event, const char* format, ...) __attribute__((format(printf, 3, 4)));
_Noreturn void peer_fail(const char* role, const char* format, ...) __attribute__((format(printf, 2, 3)));
// Reads a command: its word and number; false at the end of the input.
bool peer_hear(char* word, size_t capacity, int64_t* number);

#endif
