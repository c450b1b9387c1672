/* SPDX-License-Identifier: Apache-2.0
 *
 * A rank with a fabric, as tests need it:
 *
 *   vbn-fabric-rank exchange ROUNDS   writes into the memory of every other rank, then passes a
 *                                     number around the ring so many times
 *   vbn-fabric-rank mourn READ|WRITE  waits at a channel with the last rank, which kills itself
 *   vbn-fabric-rank leave             the same, but the last rank ends well, without a word
 *   vbn-fabric-rank late              the last rank opens no fabric
 *   vbn-fabric-rank silent            the same, but it does not end either
 *   vbn-fabric-rank besieged ROUNDS   says the job's name and where it is, reads a line, exchanges
 *   vbn-fabric-rank stranger NAME ADDRESS   is no rank, and tries to link with rank 0: without a
 *                                     key, with a wrong one, and as a rank
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <verbena/channel.h>
#include <verbena/ranks.h>

#define SECOND 1000000000ull
#define PATIENCE (120 * SECOND)
#define RING 4096
#define MOST_RANKS 16

static vbn_job* job;
static vbn_fabric* node;
static uint32_t rank;
static uint32_t size;

static void check(vbn_status status) {
  if (status == VBN_OK) return;
  printf("%s\n", vbn_error());
  exit(9);
}

static void must(vbn_outcome outcome, const char* what) {
  if (outcome == VBN_CHANNEL_DONE) return;
  printf("%s: %d %s\n", what, outcome, vbn_error());
  exit(8);
}

/* Peers that say nothing are not taken for dead within the test. */
static void open_node(uint64_t timeout) {
  vbn_fabric_options options = {.struct_bytes = sizeof options, .channels = 2 * MOST_RANKS};
  options.heartbeat_ns = 300 * SECOND;
  options.dead_after_ns = 1000 * SECOND;
  check(vbn_job_open_fabric(job, &options, timeout, &node));
}

static vbn_reader* reader_from(uint32_t from) {
  vbn_reader* reader;
  check(vbn_reader_open(node, from, RING, &reader));
  return reader;
}

static vbn_writer* writer_to(uint32_t to) {
  vbn_writer* writer;
  check(vbn_writer_open(node, to, rank, PATIENCE, &writer));
  return writer;
}

/* Puts the own number, and 1, to the own place in another one's memory. */
static void put_to(uint32_t other, vbn_region* memory, const uint8_t* key) {
  vbn_remote* remote;
  uint64_t link;
  check(vbn_remote_open(key, VBN_KEY_BYTES, &remote));
  if (vbn_remote_owner(remote) != other) exit(7);
  check(vbn_fabric_link(node, other, PATIENCE, &link));
  uint64_t* numbers = vbn_region_memory(memory);
  numbers[MOST_RANKS] = rank + 1;
  vbn_operation put = {.kind = VBN_PUT, .flags = VBN_SIGNAL, .local = memory, .remote = remote};
  put.local_offset = MOST_RANKS * sizeof *numbers;
  put.offset = rank * sizeof *numbers;
  put.length = sizeof *numbers;
  for (uint32_t posted = 0; posted == 0;) check(vbn_fabric_post(node, link, &put, 1, &posted));
  vbn_done done;
  while (vbn_fabric_poll(node, &done, 1) == 0) continue;
  vbn_remote_free(remote);
}

static void write_to_all(vbn_reader** readers, vbn_writer** writers) {
  vbn_region* memory;
  uint8_t key[VBN_KEY_BYTES];
  check(vbn_region_allocate(node, RING, &memory));
  check(vbn_region_share(memory, 0, MOST_RANKS * 8, VBN_REMOTE_PUT, key));
  for (uint32_t other = 0; other < size; other++) {
    if (other != rank) must(vbn_writer_push(writers[other], key, sizeof key, PATIENCE), "push");
  }
  for (uint32_t other = 0; other < size; other++) {
    uint8_t of[VBN_KEY_BYTES];
    uint64_t bytes;
    if (other == rank) continue;
    must(vbn_reader_pop(readers[other], of, sizeof of, PATIENCE, &bytes), "pop");
    put_to(other, memory, of);
  }
  for (uint32_t heard = 0; heard + 1 < size;) {
    vbn_signal came;
    heard += vbn_fabric_signals(node, &came, 1);
  }
  uint64_t sum = 0;
  for (uint32_t other = 0; other < size; other++) {
    sum += ((uint64_t*)vbn_region_memory(memory))[other];
  }
  printf("rank %u was written to: %lu\n", rank, (unsigned long)sum);
  vbn_region_free(memory);
}

static void pass_around(vbn_reader* before, vbn_writer* next, int rounds) {
  uint64_t number = 0;
  uint64_t bytes;
  for (int round = 0; round < rounds; round++) {
    if (rank != 0) must(vbn_reader_pop(before, &number, sizeof number, PATIENCE, &bytes), "pop");
    number += rank;
    must(vbn_writer_push(next, &number, sizeof number, PATIENCE), "push");
    if (rank == 0) must(vbn_reader_pop(before, &number, sizeof number, PATIENCE, &bytes), "pop");
  }
  if (rank == 0) printf("around the ring: %lu\n", (unsigned long)number);
}

static void exchange(int rounds) {
  vbn_reader* readers[MOST_RANKS];
  vbn_writer* writers[MOST_RANKS];
  for (uint32_t other = 0; other < size; other++) {
    if (other != rank) readers[other] = reader_from(other);
  }
  for (uint32_t other = 0; other < size; other++) {
    if (other != rank) writers[other] = writer_to(other);
  }
  write_to_all(readers, writers);
  if (size > 1) {
    pass_around(readers[(rank + size - 1) % size], writers[(rank + 1) % size], rounds);
  }
  for (uint32_t other = 0; other < size; other++) {
    if (other == rank) continue;
    vbn_outcome closed = vbn_writer_close(writers[other], PATIENCE);
    if (closed != VBN_CHANNEL_DONE && closed != VBN_CHANNEL_LOST) must(closed, "close");
    uint64_t bytes;
    vbn_outcome ended = vbn_reader_pop(readers[other], NULL, 0, PATIENCE, &bytes);
    if (ended != VBN_CHANNEL_ENDED) must(ended, "the end");
    vbn_writer_free(writers[other]);
    vbn_reader_free(readers[other]);
  }
}

static void besieged(int rounds) {
  char line[16];
  open_node(PATIENCE);
  printf("%s %s\n", vbn_job_id(job), vbn_fabric_address(node));
  fflush(stdout);
  if (fgets(line, sizeof line, stdin) == NULL) exit(5);
  exchange(rounds);
}

static void try_to_link(uint32_t as, const char* name, const char* address, const uint8_t* key,
                        uint64_t bytes) {
  vbn_fabric_options options = {.struct_bytes = sizeof options, .node_id = as, .cluster = name};
  options.key = key;
  options.key_bytes = bytes;
  options.listen = "127.0.0.1:0";
  vbn_fabric* stranger;
  uint64_t link;
  check(vbn_fabric_open(&options, &stranger));
  check(vbn_fabric_add_peer(stranger, 0, address));
  if (vbn_fabric_link(stranger, 0, SECOND, &link) == VBN_OK) exit(4);
  vbn_fabric_close(stranger);
}

static void stranger(const char* name, const char* address) {
  uint8_t wrong[32] = {1};
  try_to_link(7, name, address, NULL, 0);
  try_to_link(7, name, address, wrong, sizeof wrong);
  try_to_link(1, name, address, wrong, sizeof wrong);
}

static void say_lost(vbn_outcome outcome, const char* because) {
  if (outcome != VBN_CHANNEL_LOST) must(outcome == 0 ? 99 : outcome, "lost");
  printf("rank %u has lost it: %s\n", rank, because);
}

/* Until the far side is lost. */
static void wait_at(vbn_reader* reader, vbn_writer* writer) {
  char because[256];
  uint8_t message[RING / 8] = {0};
  vbn_outcome outcome = VBN_CHANNEL_DONE;
  while (outcome == VBN_CHANNEL_DONE) {
    uint64_t bytes;
    outcome = reader != NULL ? vbn_reader_pop(reader, message, sizeof message, PATIENCE, &bytes)
                             : vbn_writer_push(writer, message, sizeof message, PATIENCE);
  }
  if (reader != NULL) vbn_reader_lost_because(reader, because, sizeof because);
  if (writer != NULL) vbn_writer_lost_because(writer, because, sizeof because);
  say_lost(outcome, because);
}

static void mourn(int reads, int is_killed) {
  uint32_t last = size - 1;
  open_node(PATIENCE);
  if (rank != last) {
    vbn_reader* reader = reads ? reader_from(last) : NULL;
    vbn_writer* writer = reads ? NULL : writer_to(last);
    wait_at(reader, writer);
    uint64_t link;
    if (is_killed && vbn_fabric_link(node, last, SECOND / 10, &link) == VBN_OK) exit(6);
    vbn_reader_free(reader);
    vbn_writer_free(writer);
    return;
  }
  for (uint32_t other = 0; other < last; other++) {
    if (reads) must(vbn_writer_push(writer_to(other), "a word", 6, PATIENCE), "push");
    if (!reads) {
      const void* message;
      uint64_t bytes;
      must(vbn_reader_peek(reader_from(other), PATIENCE, &message, &bytes), "peek");
    }
  }
  if (is_killed) kill(getpid(), SIGKILL);
  _exit(0);
}

int main(int count, char** words) {
  const char* what = count > 1 ? words[1] : "";
  check(vbn_job_open(&job));
  rank = vbn_job_rank(job);
  size = vbn_job_size(job);
  if (size > MOST_RANKS) return 2;
  if (strcmp(what, "exchange") == 0) {
    open_node(PATIENCE);
    exchange(atoi(words[2]));
  }
  if (strcmp(what, "besieged") == 0) besieged(atoi(words[2]));
  if (strcmp(what, "stranger") == 0) stranger(words[2], words[3]);
  if (strcmp(what, "mourn") == 0) mourn(strcmp(words[2], "READ") == 0, 1);
  if (strcmp(what, "leave") == 0) mourn(1, 0);
  if (strcmp(what, "late") == 0 && rank + 1 < size) open_node(SECOND / 4);
  if (strcmp(what, "silent") == 0) {
    if (rank + 1 == size) sleep(1000);
    open_node(SECOND / 4);
  }
  vbn_fabric_close(node);
  vbn_job_free(job);
  return 0;
}
