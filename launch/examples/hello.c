/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks of a job learn where the others are: each opens a node with the job's name and key, and
 * publishes its address.    verbena-run -n 4 hello
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <verbena/fabric.h>
#include <verbena/job.h>

#define SECONDS 1000000000ull

static void check(vbn_status status) {
  if (status == VBN_OK) return;
  fprintf(stderr, "%s\n", vbn_error());
  exit(1);
}

int main(void) {
  vbn_job* job;
  vbn_fabric* node;
  check(vbn_job_open(&job));
  uint32_t next = (vbn_job_rank(job) + 1) % vbn_job_size(job);
  char listen[64];
  snprintf(listen, sizeof listen, "%s:0", vbn_job_host_address(job));
  vbn_fabric_options options = {.struct_bytes = sizeof options, .node_id = vbn_job_rank(job)};
  options.cluster = vbn_job_id(job);
  options.key = vbn_job_key(job, &options.key_bytes);
  options.listen = listen;
  check(vbn_fabric_open(&options, &node));

  const char* own = vbn_fabric_address(node);
  check(vbn_job_publish(job, own, strlen(own) + 1));
  char address[VBN_JOB_MOST_BYTES];
  uint64_t bytes;
  check(vbn_job_address(job, next, 10 * SECONDS, address, sizeof address, &bytes));
  printf("rank %u of %u is at %s, and rank %u at %s\n", vbn_job_rank(job), vbn_job_size(job), own,
         next, address);
  vbn_fabric_close(node);
  vbn_job_free(job);
  return 0;
}
