// SPDX-License-Identifier: Apache-2.0
// What the peers written in C share: options, messages, their judgement, and the conversation with the suite
// (bench/peers/README.md).
#ifndef VERBENA_PEER_H
#define VERBENA_PEER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- options: --name=value ----

// A value that must be there.
const char* peer_option(int argc, char** argv, const char* name);

// ---- messages: as io.verbena.bench.message makes them ----

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
bool peer_is_intact(const peer_content* content, const uint8_t* from, uint64_t* stamp);
// Whether these bytes are the message with this sequence number.
bool peer_is_message(const peer_content* content, uint64_t sequence, const uint8_t* from, size_t length);

// ---- judgement of what a receiver is given, one message at a time ----

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

// ---- round trips ----

enum { PEER_BUCKETS = 64 * 128 };

typedef struct {
  uint64_t counts[PEER_BUCKETS];
} peer_histogram;

void peer_record(peer_histogram* histogram, int64_t ns);

// ---- the conversation ----

int64_t peer_now_ns(void);
// How many messages are sent between two looks at the clock.
uint64_t peer_turn(size_t size);
void peer_say(const char* role, const char* event, const char* format, ...) __attribute__((format(printf, 3, 4)));
void peer_say_requests(const char* role, uint64_t sent, uint64_t requests, uint64_t corrupted, int64_t first_ns,
                       int64_t last_ns, const peer_histogram* histogram);
_Noreturn void peer_fail(const char* role, const char* format, ...) __attribute__((format(printf, 2, 3)));
// Reads a command: its word and number; false at the end of the input.
bool peer_hear(char* word, size_t capacity, int64_t* number);

#endif
