// SPDX-License-Identifier: Apache-2.0
// MTCL: one handle, blocking send and receive.
#include "mtcl_handle.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ends.h"

enum { MOST_BYTES = 1 << 20 };

typedef struct {
  peer_ends ends;  // first: functions are given it
  uint8_t* buffer;
} mtcl_peer;

static ssize_t check(const mtcl_peer* peer, ssize_t result, const char* what) {
  if (result < 0) {
    peer_fail(peer->ends.role, "%s: %s", what, strerror(errno));
  }
  return result;
}

static void send_buffer(mtcl_peer* peer, size_t size) { check(peer, mtcl_send(peer->buffer, size), "send"); }

static size_t receive_buffer(mtcl_peer* peer) {
  return (size_t)check(peer, mtcl_receive(peer->buffer, MOST_BYTES), "receive");
}

static void* receive(void* ends) {
  mtcl_peer* peer = ends;
  check(peer, mtcl_accept(), "accept");
  for (;;) {
    size_t size = receive_buffer(peer);
    if (size == 0) {  // the sender has ended
      return NULL;
    }
    peer_take(&peer->ends.judge, peer->buffer, size);
    if (peer->ends.has_replies) {
      send_buffer(peer, size);
    }
  }
}

static void send_one(void* ends, uint64_t sequence) {
  mtcl_peer* peer = ends;
  peer_write(&peer->ends.content, sequence, peer->buffer);
  send_buffer(peer, peer->ends.content.size);
}

static bool answer(void* ends, uint64_t sequence) {
  mtcl_peer* peer = ends;
  return peer_is_message(&peer->ends.content, sequence, peer->buffer, receive_buffer(peer));
}

int main(int argc, char** argv) {
  static mtcl_peer peer = {.ends = {.receive = receive, .send = send_one, .answer = answer}};
  peer_ends_init(&peer.ends, argc, argv);
  peer.buffer = aligned_alloc(4096, MOST_BYTES);
  const char* address = peer_option(argc, argv, "address");
  mtcl_begin(peer.ends.role);
  check(&peer, peer.ends.sends ? mtcl_connect(address) : mtcl_listen(address), address);
  char settings[128];
  snprintf(settings, sizeof settings, "protocol %.*s, blocking send and receive on one handle", (int)strcspn(address, ":"),
           address);
  peer_ends_run(&peer.ends, "MTCL", settings);
}
