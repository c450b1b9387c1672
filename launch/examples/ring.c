/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks in a ring: each sends the next one a key of its memory through a channel, and puts its
 * number into the memory of the one before.    verbena-run -n 4 ring
 */
#include <stdio.h>
#include <stdlib.h>
#include <verbena/channel.h>
#include <verbena/ranks.h>

#define PATIENCE 60000000000ull /* ns */

static void check(vbn_status status) {
  if (status == VBN_OK) return;
  fprintf(stderr, "%s\n", vbn_error());
  exit(1);
}

static void checkMessage(vbn_outcome outcome) {
  if (outcome == VBN_CHANNEL_DONE) return;
  fprintf(stderr, "%s\n", outcome == VBN_CHANNEL_FAILED ? vbn_error() : "a neighbour is lost");
  exit(1);
}

int main(void) {
  vbn_job* job;
  vbn_fabric* node;
  vbn_fabric_options options = {.struct_bytes = sizeof options, .channels = 2};
  check(vbn_job_open(&job));
  check(vbn_job_open_fabric(job, &options, PATIENCE, &node));
  uint32_t rank = vbn_job_rank(job), size = vbn_job_size(job);

  vbn_region* memory;
  uint8_t key[VBN_KEY_BYTES];
  check(vbn_region_allocate(node, 4096, &memory));
  check(vbn_region_share(memory, 0, 4, VBN_REMOTE_PUT, key)); /* the first four bytes */
  vbn_reader* reader;
  vbn_writer* writer;
  uint64_t bytes, link;
  check(vbn_reader_open(node, 0, 4096, &reader));
  check(vbn_writer_open(node, (rank + 1) % size, 0, PATIENCE, &writer));
  checkMessage(vbn_writer_push(writer, key, sizeof key, PATIENCE));
  /* of the one before */
  checkMessage(vbn_reader_pop(reader, key, sizeof key, PATIENCE, &bytes));

  vbn_remote* before;
  check(vbn_remote_open(key, bytes, &before));
  check(vbn_fabric_link(node, vbn_remote_owner(before), PATIENCE, &link));
  uint32_t* numbers = vbn_region_memory(memory);
  numbers[1] = rank;
  vbn_operation put = {.kind = VBN_PUT, .flags = VBN_SIGNAL, .remote = before, .length = 4};
  put.local = memory;
  put.local_offset = 4;
  for (uint32_t posted = 0; posted == 0;) check(vbn_fabric_post(node, link, &put, 1, &posted));
  vbn_signal signal; /* comes behind the bytes */
  while (vbn_fabric_signals(node, &signal, 1) == 0) continue;
  printf("rank %u of %u has %u from rank %u\n", rank, size, numbers[0], signal.peer);
  vbn_done done; /* of the own put */
  while (vbn_fabric_poll(node, &done, 1) == 0) continue;

  vbn_writer_free(writer);
  vbn_reader_free(reader);
  vbn_fabric_close(node);
  vbn_region_free(memory);
  vbn_remote_free(before);
  vbn_job_free(job);
  return 0;
}
