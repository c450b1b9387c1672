/* SPDX-License-Identifier: Apache-2.0
 *
 * A rank as tests need it: says what verbena/job.h tells it, one line each.
 *
 *   vbn-job-rank learn            publishes, waits for all, checks what it has learnt
 *   vbn-job-rank without RANK     publishes and waits for all for a while; RANK waits for ends
 *
 *   vbn-job-rank ends COUNT       waits for so many ends; the last rank ends at once with 3
 *
 *   vbn-job-rank look COUNT       the same, but no rank ends by itself
 *
 *   vbn-job-rank publish          publishes
 *   vbn-job-rank twice            publishes twice
 *   vbn-job-rank as RANK          publishes with another one's number
 *   vbn-job-rank place            says what it is told of its place, and what key it has
 *   vbn-job-rank fail RANK        learns, and RANK ends with 6 while the others sleep
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <verbena/job.h>

#define SECOND 1000000000ull
#define PATIENCE (120 * SECOND)

static void check(vbn_status status) {
  if (status == VBN_OK) return;
  printf("%s\n", vbn_error());
  exit(9);
}

static void publish(vbn_job* job) {
  char address[64];
  snprintf(address, sizeof address, "address of %u", vbn_job_rank(job));
  check(vbn_job_publish(job, address, strlen(address)));
}

static void learn(vbn_job* job) {
  check(vbn_job_await_all(job, PATIENCE));
  for (uint32_t rank = 0; rank < vbn_job_size(job); rank++) {
    char expected[64];
    char learnt[VBN_JOB_MOST_BYTES];
    uint64_t bytes = 0;
    snprintf(expected, sizeof expected, "address of %u", rank);
    check(vbn_job_address(job, rank, 0, learnt, sizeof learnt, &bytes));
    if (bytes != strlen(expected) || memcmp(learnt, expected, bytes) != 0) exit(8);
  }
  printf("learnt %u\n", vbn_job_size(job));
}

static void tellEnds(vbn_job* job, int count) {
  for (; count > 0; count--) {
    vbn_job_end end = {.struct_bytes = sizeof end};
    if (vbn_job_next_end(job, PATIENCE, &end) != 1) exit(7);
    printf("rank %u ended with %u\n", end.rank, end.status);
    fflush(stdout);
  }
}

static void tellPlace(vbn_job* job) {
  uint64_t bytes = 0;
  const uint8_t* key = vbn_job_key(job, &bytes);
  printf("rank %u of %u, here %u of %u%s, at %s, key %.*s\n", vbn_job_rank(job), vbn_job_size(job),
         vbn_job_local_rank(job), vbn_job_local_size(job),
         vbn_job_is_oversubscribed(job) ? ", crowded" : "", vbn_job_host_address(job), (int)bytes,
         key == NULL ? "" : (const char*)key);
}

static void failAs(vbn_job* job, uint32_t rank) {
  learn(job);
  fflush(stdout);
  if (vbn_job_rank(job) == rank) exit(6);
  sleep(1000);
}

static void waitWithout(vbn_job* job, uint32_t silent) {
  if (vbn_job_rank(job) == silent) {
    for (uint32_t others = vbn_job_size(job) - 1; others > 0; others--) {
      vbn_job_end end = {.struct_bytes = sizeof end};
      if (vbn_job_next_end(job, PATIENCE, &end) != 1) exit(7);
    }
    return;
  }
  publish(job);
  vbn_status status = vbn_job_await_all(job, SECOND / 4);
  printf("%s\n", status == VBN_OK ? "all" : vbn_error());
}

int main(int count, char** words) {
  const char* what = count > 1 ? words[1] : "";
  int number = count > 2 ? atoi(words[2]) : 0;
  if (strcmp(what, "as") == 0) setenv("VERBENA_JOB_RANK", words[2], 1);
  vbn_job* job = NULL;
  check(vbn_job_open(&job));
  if (strcmp(what, "ends") == 0) {
    if (vbn_job_rank(job) + 1 == vbn_job_size(job)) exit(3);
    tellEnds(job, number);
  } else if (strcmp(what, "look") == 0) {
    tellEnds(job, number);
  } else if (strcmp(what, "without") == 0) {
    waitWithout(job, (uint32_t)number);
  } else if (strcmp(what, "place") == 0) {
    tellPlace(job);
  } else {
    publish(job);
    if (strcmp(what, "fail") == 0) failAs(job, (uint32_t)number);
    if (strcmp(what, "twice") == 0) publish(job);
    if (strcmp(what, "learn") == 0) learn(job);
  }
  vbn_job_free(job);
  return 0;
}
