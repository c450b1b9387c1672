/* SPDX-License-Identifier: Apache-2.0
 *
 *   vbn-devinfo [DEVICE]    lists verbs devices, which one would be chosen, and why
 *
 * Exit status 0 when a port can be used, 1 when none can, 2 for wrong use.
 */
#include <inttypes.h>
#include <stdio.h>

#include "verbena.h"

static const char* stateName(uint32_t state) {
  static const char* const names[] = {"unknown", "down", "initializing", "armed", "active"};
  return state < sizeof names / sizeof *names ? names[state] : names[0];
}

static const char* linkName(uint32_t layer) {
  return layer == 1 ? "InfiniBand" : layer == 2 ? "Ethernet" : "unspecified";
}

static void printGids(const vbn_devices* found, uint32_t row, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    vbn_gid gid = {.struct_bytes = sizeof gid};
    if (vbn_devices_gid(found, row, i, &gid) != VBN_OK) return;
    printf("    %c GID %3" PRIu32 "  %-10s %s\n", gid.chosen ? '*' : ' ', gid.index, gid.type,
           gid.text);
  }
}

static void printPort(const vbn_devices* found, uint32_t row, const vbn_port* port) {
  printf("%c %s port %" PRIu32 " (%s): %s, %s, %g Gb/s, MTU %" PRIu32 ", node %016" PRIx64 "\n",
         port->chosen ? '*' : ' ', port->device, port->port, port->provider, stateName(port->state),
         linkName(port->link_layer), port->gigabits_per_second, port->mtu_bytes, port->node_guid);
  printf("      limits: %" PRIu32 " queue pairs, %" PRIu32 " work requests, %" PRIu32
         " pieces, %" PRIu32 " completions, %" PRIu32 " shared receives\n",
         port->max_queue_pairs, port->max_work_requests, port->max_sge, port->max_completions,
         port->max_shared_receives);
  printGids(found, row, port->gid_count);
  if (!port->usable) printf("      %s\n", vbn_devices_hindrance(found, row));
}

static void printLines(const char* title, const vbn_devices* found,
                       const char* (*line)(const vbn_devices*, uint32_t)) {
  for (uint32_t i = 0; line(found, i) != NULL; i++) {
    if (i == 0) printf("\n%s\n", title);
    printf("  %s\n", line(found, i));
  }
}

/* Whether a port was chosen. */
static int printAll(const vbn_devices* found) {
  int chosen = 0;
  for (uint32_t row = 0; row < vbn_devices_port_count(found); row++) {
    vbn_port port = {.struct_bytes = sizeof port};
    if (vbn_devices_port(found, row, &port) != VBN_OK) continue;
    printPort(found, row, &port);
    chosen |= port.chosen != 0;
  }
  printLines(chosen ? "Chosen (*), because" : "None can be used, because", found,
             vbn_devices_reason);
  printLines("To be known", found, vbn_devices_trouble);
  return chosen;
}

int main(int argc, char** argv) {
  if (argc > 2 || (argc == 2 && argv[1][0] == '-')) {
    fprintf(stderr, "usage: %s [DEVICE]\n", argv[0]);
    return 2;
  }
  vbn_wishes wishes = {.struct_bytes = sizeof wishes,
                       .device = argc == 2 ? argv[1] : NULL,
                       .gid_index = -1,
                       .pkey = -1,
                       .service_level = -1};
  vbn_devices* found = NULL;
  if (vbn_devices_survey(&wishes, &found) != VBN_OK) {
    fprintf(stderr, "%s\n", vbn_error());
    return 1;
  }
  int chosen = printAll(found);
  vbn_devices_free(found);
  return chosen ? 0 : 1;
}
