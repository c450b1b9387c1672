// SPDX-License-Identifier: Apache-2.0
// The rounds of a sender: messages one way, or requests one at a time.
#ifndef VERBENA_PEER_ROUNDS_H
#define VERBENA_PEER_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "content.h"

typedef struct {
  const peer_content* content;
  uint64_t sent;  // ever
  void* library;  // what the functions below work with
  // Writes and sends the next message.
  void (*send)(void* library, uint64_t sequence);
  // Waits for the answer to the last one; whether it is the same.
  bool (*answer)(void* library, uint64_t sequence);
  // Waits until the library has taken everything; may be null.
  void (*flush)(void* library);
} peer_sender;

// Sends until the time is over, and reports it.
void peer_send_round(peer_sender* sender, int64_t duration_ns);
// Sends requests one at a time until the time is over, and reports their times.
void peer_request_round(peer_sender* sender, int64_t duration_ns);

#endif
