// SPDX-License-Identifier: Apache-2.0
// The judge and the rounds of the peers in C on a wire that drops, repeats or corrupts one message in a million: every
// fault is found, and none where there is none.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"
#include "rounds.h"

typedef enum { NONE, DROP, REPEAT, CORRUPT } fault;
static const char* const names[] = {"none", "drop", "repeat", "corrupt"};
enum { EVERY = 1000000, MESSAGES = 2500000, MAX_SIZE = 4096, VERDICT_BYTES = 512 };

static int failures;

static void expect(const char* what, size_t size, fault kind, uint64_t actual, uint64_t expected) {
  if (actual != expected) {
    fprintf(stderr, "%s of %zu bytes, fault %s: %" PRIu64 " instead of %" PRIu64 "\n", what, size, names[kind], actual,
            expected);
    failures++;
  }
}

static uint64_t field(const char* verdict, const char* name) {
  char pattern[64];
  snprintf(pattern, sizeof pattern, "\"%s\":", name);
  const char* at = strstr(verdict, pattern);
  if (at == NULL) {
    fprintf(stderr, "no %s in %s\n", name, verdict);
    exit(1);
  }
  return strtoull(at + strlen(pattern), NULL, 10);
}

static bool is_clean(const char* verdict) {
  return field(verdict, "lost") + field(verdict, "duplicated") + field(verdict, "corrupted") + field(verdict, "reordered") == 0;
}

static bool is_faulty(uint64_t sequence) { return sequence % EVERY == EVERY / 2; }

// The byte that is changed moves through the message; one of the stamp may name another message, or none.
static void corrupt(uint8_t* message, size_t size, uint64_t sequence) { message[(sequence / EVERY * 7) % size] ^= 0x10; }

static void one_way(size_t size, fault kind) {
  static peer_content content;
  static peer_judge judge;
  static uint8_t message[MAX_SIZE];
  char verdict[VERDICT_BYTES];
  uint64_t faults = 0;
  peer_content_init(&content, size);
  peer_judge_init(&judge, &content);
  for (uint64_t i = 0; i < MESSAGES; i++) {
    bool hit = kind != NONE && is_faulty(i);
    faults += hit;
    peer_write(&content, i, message);
    if (hit && kind == CORRUPT) {
      corrupt(message, size, i);
    }
    if (!(hit && kind == DROP)) {
      peer_take(&judge, message, size);
    }
    if (hit && kind == REPEAT) {
      peer_take(&judge, message, size);
    }
  }
  peer_verdict(&judge, MESSAGES, verdict, sizeof verdict);
  if (size == 8 && kind == CORRUPT) {
    // All there is is the sequence number: what was changed is another message, and something is wrong with that.
    expect("clean", size, kind, is_clean(verdict), 0);
    return;
  }
  expect("lost", size, kind, field(verdict, "lost"), kind == DROP ? faults : 0);
  expect("duplicated", size, kind, field(verdict, "duplicated"), kind == REPEAT ? faults : 0);
  expect("corrupted", size, kind, field(verdict, "corrupted"), kind == CORRUPT ? faults : 0);
  expect("reordered", size, kind, field(verdict, "reordered"), 0);
  expect("expected", size, kind, field(verdict, "expected"), MESSAGES);
}

// A request is answered by what the last message was; of one that is dropped the answer is the one before.
static void round_trips(size_t size, fault kind) {
  static peer_content content;
  static uint8_t message[MAX_SIZE], answer[MAX_SIZE];
  uint64_t faults = 0, found = 0;
  peer_content_init(&content, size);
  for (uint64_t i = 0; i < MESSAGES; i++) {
    bool hit = kind != NONE && is_faulty(i);
    faults += hit;
    peer_write(&content, i, message);
    if (!(hit && (kind == DROP || kind == REPEAT))) {
      memcpy(answer, message, size);
    }
    if (hit && kind == CORRUPT) {
      corrupt(answer, size, i);
    }
    found += !peer_is_message(&content, i, answer, size);
  }
  expect("wrong answers", size, kind, found, faults);
}

// Of a stamp of one byte 16 lost in a row leave no gap in the sequence, and those at the end never do: they are counted.
static void lost_without_a_gap(void) {
  static peer_content content;
  static peer_judge judge;
  uint8_t message;
  char verdict[VERDICT_BYTES];
  peer_content_init(&content, 1);
  peer_judge_init(&judge, &content);
  for (uint64_t i = 0; i < 1000; i++) {
    peer_write(&content, i, &message);
    if (i < 500 || i >= 516) {
      peer_take(&judge, &message, 1);
    }
  }
  peer_verdict(&judge, 1000, verdict, sizeof verdict);
  expect("lost", 1, DROP, field(verdict, "lost"), 16);
}

static void lengths(size_t size) {
  static peer_content content;
  static peer_judge judge;
  static uint8_t message[MAX_SIZE];
  char verdict[VERDICT_BYTES];
  peer_content_init(&content, size);
  peer_judge_init(&judge, &content);
  peer_write(&content, 0, message);
  peer_take(&judge, message, size - 1);
  peer_verdict(&judge, 1, verdict, sizeof verdict);
  expect("corrupted", size, CORRUPT, field(verdict, "corrupted"), 1);
  expect("answers of another length", size, CORRUPT, peer_is_message(&content, 0, message, size - 1), 0);
}

int main(void) {
  const size_t sizes[] = {8, 64, 100};
  for (int i = 0; i < 3; i++) {
    for (fault kind = NONE; kind <= CORRUPT; kind++) {
      one_way(sizes[i], kind);
      round_trips(sizes[i], kind);
    }
    lengths(sizes[i]);
  }
  lost_without_a_gap();
  printf(failures == 0 ? "every fault was found\n" : "%d wrong\n", failures);
  return failures != 0;
}
