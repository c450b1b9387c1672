// SPDX-License-Identifier: Apache-2.0
// libzmq: PUSH to PULL, requests between PAIRs.
#include <errno.h>
#include <stdio.h>
#include <zmq.h>

#include "ends.h"

enum { QUEUED_BYTES = 8 << 20, MIN_QUEUED = 64, MAX_QUEUED = 20000 };

typedef struct {
  peer_ends ends;  // first: functions are given it
  void* socket;
} zmq_peer;

static int high_water_mark(size_t size) {
  size_t count = QUEUED_BYTES / size;
  return (int)(count < MIN_QUEUED ? MIN_QUEUED : count > MAX_QUEUED ? MAX_QUEUED : count);
}

static void check(const zmq_peer* peer, int result, const char* what) {
  if (result < 0) {
    peer_fail(peer->ends.role, "%s: %s", what, zmq_strerror(errno));
  }
}

static void open_socket(zmq_peer* peer, const char* address) {
  bool sends = peer->ends.sends;
  int one_way = sends ? ZMQ_PUSH : ZMQ_PULL;
  int mark = high_water_mark(peer->ends.content.size);
  peer->socket = zmq_socket(zmq_ctx_new(), peer->ends.has_replies ? ZMQ_PAIR : one_way);
  check(peer, zmq_setsockopt(peer->socket, ZMQ_SNDHWM, &mark, sizeof mark), "sndhwm");
  check(peer, zmq_setsockopt(peer->socket, ZMQ_RCVHWM, &mark, sizeof mark), "rcvhwm");
  check(peer, sends ? zmq_connect(peer->socket, address) : zmq_bind(peer->socket, address), address);
}

static void* receive(void* ends) {
  zmq_peer* peer = ends;
  zmq_msg_t message;
  zmq_msg_init(&message);
  for (;;) {
    check(peer, zmq_msg_recv(&message, peer->socket, 0), "receive");
    peer_take(&peer->ends.judge, zmq_msg_data(&message), zmq_msg_size(&message));
    if (peer->ends.has_replies) {
      check(peer, zmq_msg_send(&message, peer->socket, 0), "answer");
    }
  }
  return NULL;
}

static void send_one(void* ends, uint64_t sequence) {
  zmq_peer* peer = ends;
  zmq_msg_t message;
  zmq_msg_init_size(&message, peer->ends.content.size);
  peer_write(&peer->ends.content, sequence, zmq_msg_data(&message));
  check(peer, zmq_msg_send(&message, peer->socket, 0), "send");
}

static bool answer(void* ends, uint64_t sequence) {
  zmq_peer* peer = ends;
  zmq_msg_t message;
  zmq_msg_init(&message);
  check(peer, zmq_msg_recv(&message, peer->socket, 0), "answer");
  bool is_intact = peer_is_message(&peer->ends.content, sequence, zmq_msg_data(&message), zmq_msg_size(&message));
  zmq_msg_close(&message);
  return is_intact;
}

int main(int argc, char** argv) {
  static zmq_peer peer = {.ends = {.receive = receive, .send = send_one, .answer = answer}};
  peer_ends_init(&peer.ends, argc, argv);
  open_socket(&peer, peer_option(argc, argv, "address"));
  int major, minor, patch;
  zmq_version(&major, &minor, &patch);
  char version[64], settings[256];
  snprintf(version, sizeof version, "libzmq %d.%d.%d", major, minor, patch);
  snprintf(settings, sizeof settings, "%s, one I/O thread in each process, high-water mark 8 MiB of messages, 64 to 20000",
           peer.ends.has_replies ? "PAIR" : "PUSH to PULL");
  peer_ends_run(&peer.ends, version, settings);
}
