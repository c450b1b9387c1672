// SPDX-License-Identifier: Apache-2.0
#include "rounds.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "conversation.h"

enum { BUCKETS = 64 * 128 };
static const char role[] = "sender";

// 128 buckets for each power of two, so that a value is kept to one part in 128.
typedef struct {
  uint64_t counts[BUCKETS];
} histogram_of_ns;

static void record(histogram_of_ns* histogram, int64_t ns) {
  uint64_t value = ns < 1 ? 1 : (uint64_t)ns;
  int shift = 63 - __builtin_clzll(value | 127) - 6;
  uint64_t index = value < 128 ? value : (uint64_t)(shift + 1) * 64 + (value >> shift);
  histogram->counts[index < BUCKETS ? index : BUCKETS - 1]++;
}

static uint64_t bucket_value(uint64_t index) {
  if (index < 128) {
    return index;
  }
  uint64_t shift = (index - 64) / 64 - 1;
  return (index - (shift + 1) * 64) << shift;
}

void peer_send_round(peer_sender* sender, int64_t duration_ns) {
  uint64_t turn = peer_turn(sender->content->size);
  int64_t end_ns = peer_now_ns() + duration_ns;
  while (peer_now_ns() < end_ns) {
    for (uint64_t i = 0; i < turn; i++) {
      sender->send(sender->library, sender->sent++);
    }
  }
  if (sender->flush != NULL) {
    sender->flush(sender->library);
  }
  peer_say(role, "sent", "\"messages\":%" PRIu64, sender->sent);
}

static void say_requests(uint64_t sent, uint64_t requests, uint64_t corrupted, int64_t first_ns, int64_t last_ns,
                         const histogram_of_ns* histogram) {
  printf("{\"role\":\"%s\",\"event\":\"sent\",\"messages\":%" PRIu64 ",\"corrupted\":%" PRIu64
         ",\"first_ns\":%" PRId64 ",\"last_ns\":%" PRId64 ",\"timed\":%" PRIu64 ",\"rtt\":[",
         role, sent, corrupted, first_ns, last_ns, requests);
  const char* comma = "";
  for (uint64_t i = 0; i < BUCKETS; i++) {
    if (histogram->counts[i] > 0) {
      printf("%s[%" PRIu64 ",%" PRIu64 "]", comma, bucket_value(i), histogram->counts[i]);
      comma = ",";
    }
  }
  printf("]}\n");
  fflush(stdout);
}

void peer_request_round(peer_sender* sender, int64_t duration_ns) {
  static histogram_of_ns histogram;
  memset(&histogram, 0, sizeof histogram);
  uint64_t before = sender->sent, corrupted = 0;
  int64_t start_ns = peer_now_ns(), now_ns = start_ns;
  while (now_ns - start_ns < duration_ns) {
    uint64_t sequence = sender->sent++;
    sender->send(sender->library, sequence);
    corrupted += !sender->answer(sender->library, sequence);
    int64_t after_ns = peer_now_ns();
    record(&histogram, after_ns - now_ns);
    now_ns = after_ns;
  }
  say_requests(sender->sent, sender->sent - before, corrupted, start_ns, now_ns, &histogram);
}
