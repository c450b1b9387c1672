// SPDX-License-Identifier: Apache-2.0
#include "judge.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clock.h"

static void begin_round(peer_judge* judge) {
  judge->round_start = atomic_load_explicit(&judge->received, memory_order_relaxed);
  judge->sample_at = judge->round_start + 1;
  judge->last_sample = judge->round_start;
  judge->first_ns = judge->last_ns = 0;
  judge->lost = judge->duplicated = judge->corrupted = judge->reordered = 0;
}

void peer_judge_init(peer_judge* judge, const peer_content* content) {
  memset(judge, 0, sizeof *judge);
  judge->content = content;
  judge->stride = peer_turn(content->size);
  judge->missing = malloc(PEER_MAX_MISSING * sizeof *judge->missing);
  begin_round(judge);
}

static bool forget_missing(peer_judge* judge, uint64_t sequence) {
  for (size_t i = 0; i < judge->missing_count; i++) {
    if (judge->missing[i] == sequence) {
      judge->missing[i] = judge->missing[--judge->missing_count];
      return true;
    }
  }
  return false;
}

static void take_out_of_order(peer_judge* judge, uint64_t stamp) {
  // The sequence number is cut to the stamp's bits: the shorter way round is meant.
  uint64_t mask = judge->content->sequence_mask;
  uint64_t ahead = (stamp - judge->next) & mask;
  if (ahead <= mask / 2) {
    for (uint64_t i = 0; i < ahead && judge->missing_count < PEER_MAX_MISSING; i++) {
      judge->missing[judge->missing_count++] = judge->next + i;
    }
    judge->lost += ahead;
    judge->next += ahead + 1;
  } else if (forget_missing(judge, judge->next - (mask + 1 - ahead))) {
    judge->lost--;
    judge->reordered++;
  } else {
    judge->duplicated++;
  }
}

static void arrived(peer_judge* judge) {
  uint64_t now = atomic_load_explicit(&judge->received, memory_order_relaxed) + 1;
  if (now >= judge->sample_at) {
    judge->last_ns = peer_now_ns();
    if (now == judge->round_start + 1) {
      judge->first_ns = judge->last_ns;
    }
    judge->last_sample = now;
    judge->sample_at = now + judge->stride;
  }
  // Pairs with the load in peer_await: whoever sees the count sees what was judged.
  atomic_store_explicit(&judge->received, now, memory_order_release);
}

void peer_take(peer_judge* judge, const uint8_t* from, size_t length) {
  uint64_t stamp;
  if (length != judge->content->size || !peer_is_intact(judge->content, from, &stamp)) {
    judge->corrupted++;
  } else if (((stamp ^ judge->next) & judge->content->sequence_mask) == 0) {
    judge->next++;
  } else {
    take_out_of_order(judge, stamp);
  }
  arrived(judge);
}

static void sleep_ms(long ms) {
  struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
}

void peer_await(peer_judge* judge, uint64_t sent) {
  const int64_t stall_ns = INT64_C(5000000000);
  uint64_t last_count = 0;
  int64_t last_change_ns = peer_now_ns();
  for (;;) {
    // Pairs with the store in arrived().
    uint64_t count = atomic_load_explicit(&judge->received, memory_order_acquire);
    if ((int64_t)count - judge->surplus >= (int64_t)sent || peer_now_ns() - last_change_ns > stall_ns) {
      break;
    }
    if (count != last_count) {
      last_count = count;
      last_change_ns = peer_now_ns();
    }
    sleep_ms(1);
  }
  sleep_ms(20);  // one that comes twice would come now
}

void peer_verdict(peer_judge* judge, uint64_t sent, char* text, size_t capacity) {
  uint64_t expected = sent - judge->settled;
  uint64_t count = atomic_load_explicit(&judge->received, memory_order_acquire);
  if (judge->next < sent) {
    judge->lost += sent - judge->next;  // those at the end, after which nothing came
  }
  // What was corrupted is missing in its sequence as well, but it was not lost.
  uint64_t lost = judge->lost > judge->corrupted ? judge->lost - judge->corrupted : 0;
  uint64_t timed = judge->last_sample > judge->round_start ? judge->last_sample - judge->round_start - 1 : 0;
  snprintf(text, capacity,
           "\"expected\":%" PRIu64 ",\"lost\":%" PRIu64 ",\"duplicated\":%" PRIu64 ",\"corrupted\":%" PRIu64
           ",\"reordered\":%" PRIu64 ",\"first_ns\":%" PRId64 ",\"last_ns\":%" PRId64 ",\"timed\":%" PRIu64,
           expected, lost, judge->duplicated, judge->corrupted, judge->reordered, judge->first_ns, judge->last_ns, timed);
  judge->next = sent;
  judge->settled = sent;
  judge->surplus = (int64_t)count - (int64_t)sent;
  begin_round(judge);
}
