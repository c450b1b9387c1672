// SPDX-License-Identifier: Apache-2.0
// Verbena's channels, by a connection: messages are written and read where they lie, or copied in and out.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <verbena/channel.h>

#include "clock.h"
#include "ends.h"

enum { RING_BYTES = 1 << 20, SPIN_NS = 1000000 };
static const uint64_t SECOND = 1000000000;
static const uint64_t PATIENCE_NS = 60000000000;

typedef struct {
  peer_ends ends;  // first: functions are given it
  bool copies;
  vbn_connections* connections;
  vbn_reader* reader;
  vbn_writer* writer;
  uint8_t* buffer;  // a message that is copied
} channel_peer;

static void check(const channel_peer* peer, vbn_status status) {
  if (status != VBN_OK) {
    peer_fail(peer->ends.role, "%s", vbn_error());
  }
}

// Whether a call has done its work; if not it is made again, with time to wait.
static bool is_done(const channel_peer* peer, vbn_outcome outcome, const char* what) {
  if (outcome != VBN_CHANNEL_DONE && outcome != VBN_CHANNEL_WOULD_BLOCK) {
    peer_fail(peer->ends.role, "%s: outcome %d", what, outcome);
  }
  return outcome == VBN_CHANNEL_DONE;
}

static void* claim(channel_peer* peer, size_t size) {
  void* at = NULL;
  for (uint64_t wait = 0; !is_done(peer, vbn_writer_claim(peer->writer, size, wait, &at), "claim"); wait = SECOND) {
  }
  return at;
}

static void push(channel_peer* peer, const void* message, size_t size) {
  for (uint64_t wait = 0; !is_done(peer, vbn_writer_push(peer->writer, message, size, wait), "push"); wait = SECOND) {
  }
}

static vbn_outcome try_to_take(channel_peer* peer, uint64_t wait, const void** message, uint64_t* size) {
  return peer->copies ? vbn_reader_pop(peer->reader, peer->buffer, RING_BYTES, wait, size)
                      : vbn_reader_peek(peer->reader, wait, message, size);
}

// The next message; release() follows where it lies in the ring. Who is answered by one that sleeps, and sleeps
// meanwhile, is woken for each message: here both ask again and again as long as a round lasts.
static const void* take(channel_peer* peer, uint64_t* size) {
  const void* message = peer->buffer;
  uint64_t wait = 0;
  for (int64_t end_ns = 0; !is_done(peer, try_to_take(peer, wait, &message, size), "take");) {
    end_ns = end_ns == 0 ? peer_now_ns() + SPIN_NS : end_ns;
    wait = peer_now_ns() < end_ns ? 0 : SECOND;
  }
  return message;
}

static void release(channel_peer* peer) {
  if (!peer->copies) {
    vbn_reader_release(peer->reader);
  }
}

static void send_back(channel_peer* peer, const void* message, size_t size) {
  if (peer->copies) {
    push(peer, message, size);
    return;
  }
  memcpy(claim(peer, size), message, size);
  vbn_writer_publish(peer->writer, size);
}

static void* receive(void* ends) {
  channel_peer* peer = ends;
  while (!is_done(peer, vbn_connections_accept(peer->connections, SECOND, &peer->reader, &peer->writer), "accept")) {
  }
  for (;;) {
    uint64_t size = 0;
    const void* message = take(peer, &size);
    peer_take(&peer->ends.judge, message, size);
    if (peer->ends.has_replies) {
      send_back(peer, message, size);
    }
    release(peer);
  }
  return NULL;
}

static void send_one(void* ends, uint64_t sequence) {
  channel_peer* peer = ends;
  size_t size = peer->ends.content.size;
  if (peer->copies) {
    peer_write(&peer->ends.content, sequence, peer->buffer);
    push(peer, peer->buffer, size);
    return;
  }
  peer_write(&peer->ends.content, sequence, claim(peer, size));
  vbn_writer_publish(peer->writer, size);
}

static bool answer(void* ends, uint64_t sequence) {
  channel_peer* peer = ends;
  uint64_t size = 0;
  const void* message = take(peer, &size);
  bool is_intact = peer_is_message(&peer->ends.content, sequence, message, size);
  release(peer);
  return is_intact;
}

static void open_node(channel_peer* peer, const char* address, const char* device) {
  vbn_wishes wishes = {.struct_bytes = sizeof wishes, .device = device, .gid_index = -1, .pkey = -1, .service_level = -1};
  vbn_fabric_options options = {.struct_bytes = sizeof options,
                                .node_id = VBN_ANY_NODE,
                                .listen = peer->ends.sends ? "127.0.0.1:0" : address,
                                .device = &wishes,
                                .channels = 4};
  vbn_fabric* node;
  check(peer, vbn_fabric_open(&options, &node));
  check(peer, vbn_connections_open(node, RING_BYTES, &peer->connections));
  if (peer->ends.sends) {
    check(peer, vbn_connections_connect(peer->connections, address, PATIENCE_NS, &peer->reader, &peer->writer));
  } else {
    check(peer, vbn_connections_listen(peer->connections, 1));
  }
}

int main(int argc, char** argv) {
  static channel_peer peer = {.ends = {.receive = receive, .send = send_one, .answer = answer}};
  peer_ends_init(&peer.ends, argc, argv);
  peer.copies = strcmp(peer_option(argc, argv, "copies"), "yes") == 0;
  peer.buffer = aligned_alloc(4096, RING_BYTES);
  open_node(&peer, peer_option(argc, argv, "address"), peer_option(argc, argv, "device"));
  char settings[128];
  snprintf(settings, sizeof settings, "%s, rings of 1 MiB, asks for 1 ms before it sleeps",
           peer.copies ? "push and pop" : "claim and publish, peek and release");
  peer_ends_run(&peer.ends, "Verbena", settings);
}
