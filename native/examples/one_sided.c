/* SPDX-License-Identifier: Apache-2.0
 *
 * One shell shares memory, another one puts a text there:
 *
 *   one_sided                             says what to call in the other shell, and waits
 *   one_sided ADDRESS KEY TEXT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <verbena/fabric.h>

#define SECOND 1000000000ull

static void must(vbn_status status) {
  if (status == VBN_OK) return;
  fprintf(stderr, "one_sided: %s\n", vbn_error());
  exit(1);
}

static vbn_fabric* open_node(uint32_t id, vbn_region** memory) {
  vbn_wishes softnic = {.struct_bytes = sizeof softnic,
                        .device = "softnic",
                        .gid_index = -1,
                        .pkey = -1,
                        .service_level = -1};
  vbn_fabric_options options = {
      .struct_bytes = sizeof options, .node_id = id, .listen = "127.0.0.1:0", .device = &softnic};
  vbn_fabric* node;
  must(vbn_fabric_open(&options, &node));
  must(vbn_region_allocate(node, 4096, memory));
  return node;
}

static void serve(void) {
  vbn_region* memory;
  vbn_fabric* node = open_node(1, &memory);
  uint8_t key[VBN_KEY_BYTES];
  must(vbn_region_share(memory, 0, 4096, VBN_REMOTE_PUT, key));
  printf("one_sided %s ", vbn_fabric_address(node));
  for (size_t i = 0; i < sizeof key; i++) printf("%02x", key[i]);
  printf(" 'Hello'\n");
  fflush(stdout);
  vbn_signal came;
  vbn_fabric_arm(node); /* what comes from here on ends the wait */
  while (vbn_fabric_signals(node, &came, 1) == 0) {
    vbn_fabric_wait(node, SECOND);
    vbn_fabric_arm(node);
  }
  must(vbn_region_revoke(memory, key));                    /* nobody writes there any more */
  int length = came.value < 4096 ? (int)came.value : 4096; /* as the other side says */
  printf("%.*s\n", length, (char*)vbn_region_memory(memory));
  vbn_fabric_close(node);
  vbn_region_free(memory);
}

static vbn_done run(vbn_fabric* node, uint64_t link, const vbn_operation* operation) {
  uint32_t posted = 0;
  while (posted == 0) must(vbn_fabric_post(node, link, operation, 1, &posted)); /* 0: no room */
  vbn_done done;
  while (vbn_fabric_poll(node, &done, 1) == 0) continue;
  return done;
}

static void put(const char* address, const char* hex, const char* text) {
  uint8_t key[VBN_KEY_BYTES] = {0};
  for (size_t i = 0; i < sizeof key && sscanf(hex + 2 * i, "%2hhx", &key[i]) == 1; i++) continue;
  vbn_remote* remote;
  must(vbn_remote_open(key, sizeof key, &remote));
  vbn_region* memory;
  vbn_fabric* node = open_node(2, &memory);
  uint64_t link;
  must(vbn_fabric_add_peer(node, vbn_remote_owner(remote), address));
  must(vbn_fabric_link(node, vbn_remote_owner(remote), 5 * SECOND, &link));
  uint32_t length = strlen(text) < 4096 ? (uint32_t)strlen(text) : 4096;
  memcpy(vbn_region_memory(memory), text, length);
  vbn_operation operation = {
      .kind = VBN_PUT, .local = memory, .remote = remote, .length = length, .signal = length};
  vbn_done done = run(node, link, &operation);
  char sentence[256];
  vbn_done_sentence(&done, sentence, sizeof sentence);
  printf("%s\n", sentence);
  operation.flags = VBN_SIGNAL; /* the other side may go before it can say that it has this */
  run(node, link, &operation);
  vbn_fabric_close(node);
  vbn_region_free(memory);
  vbn_remote_free(remote);
}

int main(int count, char** words) {
  if (count == 4) {
    put(words[1], words[2], words[3]);
  } else {
    serve();
  }
  return 0;
}
