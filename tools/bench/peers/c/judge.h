// SPDX-License-Identifier: Apache-2.0
// Judges what a receiver is given, one message at a time: as io.verbena.bench.verify does.
#ifndef VERBENA_PEER_JUDGE_H
#define VERBENA_PEER_JUDGE_H

#include <stdatomic.h>

#include "content.h"

enum { PEER_MAX_MISSING = 1 << 16 };

typedef struct {
  const peer_content* content;
  uint64_t stride;  // the clock is read at every so-manieth message
  _Atomic uint64_t received;
  uint64_t next;
  uint64_t settled;
  uint64_t round_start, sample_at, last_sample;
  int64_t first_ns, last_ns;
  uint64_t lost, duplicated, corrupted, reordered;
  uint64_t* missing;
  size_t missing_count;
  int64_t surplus;  // how many more have arrived than were sent
} peer_judge;

void peer_judge_init(peer_judge* judge, const peer_content* content);
void peer_take(peer_judge* judge, const uint8_t* from, size_t length);
// Waits until all of `sent` have arrived, or nothing more does.
void peer_await(peer_judge* judge, uint64_t sent);
// Ends the round and writes its verdict as members of a JSON object.
void peer_verdict(peer_judge* judge, uint64_t sent, char* text, size_t capacity);

#endif
