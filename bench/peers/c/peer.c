// SPDX-License-Identifier: Apache-2.0
#include "peer.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const uint64_t spread = 0x9E3779B97F4A7C15u;  // as io.verbena.bench.message.Words
enum { WORDS_SIZE = 64, TOTAL_PAYLOAD_BYTES = 256 * 1024, MIN_PAYLOADS = 4, SAMPLED_BYTES = 16 * 1024, MAX_STRIDE = 256 };

const char* peer_option(int argc, char** argv, const char* name) {
  size_t length = strlen(name);
  for (int i = 1; i < argc; i++) {
    if (strncmp(argv[i], "--", 2) == 0 && strncmp(argv[i] + 2, name, length) == 0 && argv[i][2 + length] == '=') {
      return argv[i] + 3 + length;
    }
  }
  fprintf(stderr, "--%s is missing\n", name);
  exit(2);
}

// ---- messages ----

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

// ---- judgement ----

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

// ---- round trips: 128 buckets for each power of two, so a value is kept to one part in 128 ----

void peer_record(peer_histogram* histogram, int64_t ns) {
  uint64_t value = ns < 1 ? 1 : (uint64_t)ns;
  int shift = 63 - __builtin_clzll(value | 127) - 6;
  uint64_t index = value < 128 ? value : (uint64_t)(shift + 1) * 64 + (value >> shift);
  histogram->counts[index < PEER_BUCKETS ? index : PEER_BUCKETS - 1]++;
}

static uint64_t bucket_value(uint64_t index) {
  if (index < 128) {
    return index;
  }
  uint64_t shift = (index - 64) / 64 - 1;
  return (index - (shift + 1) * 64) << shift;
}

// ---- the conversation ----

int64_t peer_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

uint64_t peer_turn(size_t size) {
  size_t turn = SAMPLED_BYTES / size;
  return turn < 1 ? 1 : turn > MAX_STRIDE ? MAX_STRIDE : turn;
}

void peer_say(const char* role, const char* event, const char* format, ...) {
  va_list values;
  va_start(values, format);
  printf("{\"role\":\"%s\",\"event\":\"%s\",", role, event);
  vprintf(format, values);
  printf("}\n");
  fflush(stdout);
  va_end(values);
}

void peer_say_requests(const char* role, uint64_t sent, uint64_t requests, uint64_t corrupted, int64_t first_ns,
                       int64_t last_ns, const peer_histogram* histogram) {
  printf("{\"role\":\"%s\",\"event\":\"sent\",\"messages\":%" PRIu64 ",\"corrupted\":%" PRIu64
         ",\"first_ns\":%" PRId64 ",\"last_ns\":%" PRId64 ",\"timed\":%" PRIu64 ",\"rtt\":[",
         role, sent, corrupted, first_ns, last_ns, requests);
  const char* comma = "";
  for (uint64_t i = 0; i < PEER_BUCKETS; i++) {
    if (histogram->counts[i] > 0) {
      printf("%s[%" PRIu64 ",%" PRIu64 "]", comma, bucket_value(i), histogram->counts[i]);
      comma = ",";
    }
  }
  printf("]}\n");
  fflush(stdout);
}

_Noreturn void peer_fail(const char* role, const char* format, ...) {
  va_list values;
  va_start(values, format);
  printf("{\"role\":\"%s\",\"event\":\"failed\",\"reason\":\"", role);
  vprintf(format, values);
  printf("\"}\n");
  fflush(stdout);
  va_end(values);
  _exit(1);
}

bool peer_hear(char* word, size_t capacity, int64_t* number) {
  char line[256];
  if (fgets(line, sizeof line, stdin) == NULL) {
    return false;
  }
  char* space = strchr(line, ' ');
  if (space == NULL) {
    return false;
  }
  *space = 0;
  snprintf(word, capacity, "%s", line);
  *number = strtoll(space + 1, NULL, 10);
  return true;
}
