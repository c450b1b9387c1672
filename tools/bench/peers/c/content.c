// SPDX-License-Identifier: Apache-2.0
#include "content.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t spread = 0x9E3779B97F4A7C15u;  // as io.verbena.bench.message.Words
enum { WORDS_SIZE = 64, TOTAL_PAYLOAD_BYTES = 256 * 1024, MIN_PAYLOADS = 4, SAMPLED_BYTES = 16 * 1024, MAX_TURN = 256 };

static uint64_t next_random(uint64_t* state) {
  uint64_t z = (*state += spread);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static uint8_t* random_bytes(size_t length, uint64_t* state) {
  uint8_t* bytes = malloc(length + 8);
  for (size_t i = 0; i < length; i += 8) {
    uint64_t word = next_random(state);
    memcpy(bytes + i, &word, 8);
  }
  return bytes;
}

void peer_content_init(peer_content* content, size_t size) {
  static const int sequence_bits[] = {0, 4, 12, 12, 24, 24, 24, 24, 48};
  size_t reach = size < 8 ? size : 8;
  content->size = size;
  content->stamp_size = reach >= 8 ? 8 : reach >= 4 ? 4 : reach >= 2 ? 2 : 1;
  content->sequence_mask = (UINT64_C(1) << sequence_bits[reach]) - 1;
  size_t length = size > 8 ? size - 8 : 0;
  size_t count = PEER_MAX_PAYLOADS;
  while (count > MIN_PAYLOADS && count * length > TOTAL_PAYLOAD_BYTES) {
    count /= 2;
  }
  content->payload_mask = (uint32_t)count - 1;
  uint64_t state = length;
  for (size_t i = 0; i < count; i++) {
    content->payloads[i] = random_bytes(length, &state);
  }
}

static void write_words(uint64_t stamp, uint8_t* to) {
  uint64_t words[8] = {stamp};
  uint64_t seed = stamp * spread + spread;
  for (uint64_t i = 0; i < 7; i++) {
    words[i + 1] = seed + i * spread;
  }
  memcpy(to, words, sizeof words);
}

void peer_write(const peer_content* content, uint64_t sequence, uint8_t* to) {
  uint64_t stamp = sequence & content->sequence_mask;  // of thread 0; the machine is little-endian
  if (content->size == WORDS_SIZE) {
    write_words(stamp, to);
    return;
  }
  memcpy(to, &stamp, content->stamp_size);
  if (content->size > 8) {
    memcpy(to + 8, content->payloads[stamp & content->payload_mask], content->size - 8);
  } else if (content->size > content->stamp_size) {
    memset(to + content->stamp_size, 0, content->size - content->stamp_size);
  }
}

bool peer_is_intact(const peer_content* content, const uint8_t* from, uint64_t* stamp) {
  *stamp = 0;
  memcpy(stamp, from, content->stamp_size);
  if (*stamp > content->sequence_mask) {
    return false;
  }
  if (content->size == WORDS_SIZE) {
    uint8_t expected[WORDS_SIZE];
    write_words(*stamp, expected);
    return memcmp(from, expected, WORDS_SIZE) == 0;
  }
  return content->size <= 8 ||
         memcmp(from + 8, content->payloads[*stamp & content->payload_mask], content->size - 8) == 0;
}

bool peer_is_message(const peer_content* content, uint64_t sequence, const uint8_t* from, size_t length) {
  uint64_t stamp;
  return length == content->size && peer_is_intact(content, from, &stamp) &&
         stamp == (sequence & content->sequence_mask);
}

uint64_t peer_turn(size_t size) {
  size_t turn = SAMPLED_BYTES / size;
  return turn < 1 ? 1 : turn > MAX_TURN ? MAX_TURN : turn;
}
