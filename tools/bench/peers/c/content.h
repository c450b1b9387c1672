// SPDX-License-Identifier: Apache-2.0
// Messages as io.verbena.bench.message makes them: a stamp, and content that follows from it.
#ifndef VERBENA_PEER_CONTENT_H
#define VERBENA_PEER_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PEER_MAX_PAYLOADS = 64 };

typedef struct {
  size_t size;
  size_t stamp_size;
  uint64_t sequence_mask;
  uint32_t payload_mask;
  uint8_t* payloads[PEER_MAX_PAYLOADS];  // what follows the stamp, chosen by it
} peer_content;

void peer_content_init(peer_content* content, size_t size);
void peer_write(const peer_content* content, uint64_t sequence, uint8_t* to);
// Whether the content is what follows from the stamp, which is told.
bool peer_is_intact(const peer_content* content, const uint8_t* from, uint64_t* stamp);
// Whether these bytes are the message with this sequence number.
bool peer_is_message(const peer_content* content, uint64_t sequence, const uint8_t* from, size_t length);
// How many messages of a size are sent between two looks at the clock.
uint64_t peer_turn(size_t size);

#endif
