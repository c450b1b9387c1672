/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the structs of verbena.h as this compiler lays them out:
 * "STRUCT BYTES", then "STRUCT.MEMBER OFFSET BYTES" for each member.
 */
#include <stddef.h>
#include <stdio.h>

#include "verbena.h"

#define STRUCT(type) printf("%s %zu\n", #type, sizeof(type))
#define MEMBER(type, name) \
  printf("%s.%s %zu %zu\n", #type, #name, offsetof(type, name), sizeof(((type*)0)->name))

static void printWishes(void) {
  STRUCT(vbn_wishes);
  MEMBER(vbn_wishes, struct_bytes);
  MEMBER(vbn_wishes, port);
  MEMBER(vbn_wishes, device);
  MEMBER(vbn_wishes, gid_index);
  MEMBER(vbn_wishes, family);
  MEMBER(vbn_wishes, pkey);
  MEMBER(vbn_wishes, service_level);
  MEMBER(vbn_wishes, mtu_bytes);
  MEMBER(vbn_wishes, reserved);
}

static void printPort(void) {
  STRUCT(vbn_port);
  MEMBER(vbn_port, struct_bytes);
  MEMBER(vbn_port, port);
  MEMBER(vbn_port, device);
  MEMBER(vbn_port, provider);
  MEMBER(vbn_port, node_guid);
  MEMBER(vbn_port, state);
  MEMBER(vbn_port, link_layer);
  MEMBER(vbn_port, lid);
  MEMBER(vbn_port, mtu_bytes);
  MEMBER(vbn_port, gigabits_per_second);
  MEMBER(vbn_port, gid_count);
  MEMBER(vbn_port, usable);
  MEMBER(vbn_port, chosen);
  MEMBER(vbn_port, max_queue_pairs);
  MEMBER(vbn_port, max_work_requests);
  MEMBER(vbn_port, max_sge);
  MEMBER(vbn_port, max_completions);
  MEMBER(vbn_port, max_shared_receives);
  MEMBER(vbn_port, max_region_bytes);
}

static void printGid(void) {
  STRUCT(vbn_gid);
  MEMBER(vbn_gid, struct_bytes);
  MEMBER(vbn_gid, index);
  MEMBER(vbn_gid, raw);
  MEMBER(vbn_gid, text);
  MEMBER(vbn_gid, type);
  MEMBER(vbn_gid, chosen);
  MEMBER(vbn_gid, reserved);
}

int main(void) {
  printWishes();
  printPort();
  printGid();
  return 0;
}
