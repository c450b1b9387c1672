// SPDX-License-Identifier: Apache-2.0
// libzmq: PUSH to PULL, requests between PAIRs.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zmq.h>

#include "conversation.h"
#include "judge.h"
#include "rounds.h"

enum { QUEUED_BYTES = 8 << 20, MIN_QUEUED = 64, MAX_QUEUED = 20000 };

typedef struct {
  const char* role;
  bool has_replies;
  void* socket;
  peer_content content;
  peer_judge judge;
} zmq_peer;

static int high_water_mark(size_t size) {
  size_t count = QUEUED_BYTES / size;
  return (int)(count < MIN_QUEUED ? MIN_QUEUED : count > MAX_QUEUED ? MAX_QUEUED : count);
}

static void check(const zmq_peer* peer, int result, const char* what) {
  if (result < 0) {
    peer_fail(peer->role, "%s: %s", what, zmq_strerror(errno));
  }
}

static void open_socket(zmq_peer* peer, const char* address, bool sends) {
  int one_way = sends ? ZMQ_PUSH : ZMQ_PULL;
  int mark = high_water_mark(peer->content.size);
  peer->socket = zmq_socket(zmq_ctx_new(), peer->has_replies ? ZMQ_PAIR : one_way);
  check(peer, zmq_setsockopt(peer->socket, ZMQ_SNDHWM, &mark, sizeof mark), "sndhwm");
  check(peer, zmq_setsockopt(peer->socket, ZMQ_RCVHWM, &mark, sizeof mark), "rcvhwm");
  check(peer, sends ? zmq_connect(peer->socket, address) : zmq_bind(peer->socket, address), address);
}

static void* receive(void* argument) {
  zmq_peer* peer = argument;
  zmq_msg_t message;
  zmq_msg_init(&message);
  for (;;) {
    check(peer, zmq_msg_recv(&message, peer->socket, 0), "receive");
    peer_take(&peer->judge, zmq_msg_data(&message), zmq_msg_size(&message));
    if (peer->has_replies) {
      check(peer, zmq_msg_send(&message, peer->socket, 0), "answer");
    }
  }
  return NULL;
}

static void send_one(void* library, uint64_t sequence) {
  zmq_peer* peer = library;
  zmq_msg_t message;
  zmq_msg_init_size(&message, peer->content.size);
  peer_write(&peer->content, sequence, zmq_msg_data(&message));
  check(peer, zmq_msg_send(&message, peer->socket, 0), "send");
}

static bool answer(void* library, uint64_t sequence) {
  zmq_peer* peer = library;
  zmq_msg_t message;
  zmq_msg_init(&message);
  check(peer, zmq_msg_recv(&message, peer->socket, 0), "answer");
  bool is_intact = peer_is_message(&peer->content, sequence, zmq_msg_data(&message), zmq_msg_size(&message));
  zmq_msg_close(&message);
  return is_intact;
}

static void judge_round(zmq_peer* peer, uint64_t sent) {
  char verdict[512];
  peer_await(&peer->judge, sent);
  peer_verdict(&peer->judge, sent, verdict, sizeof verdict);
  peer_say(peer->role, "received", "%s", verdict);
}

int main(int argc, char** argv) {
  static zmq_peer peer;
  peer.role = peer_option(argc, argv, "role");
  peer.has_replies = strcmp(peer_option(argc, argv, "workload"), "latency") == 0;
  bool sends = strcmp(peer.role, "sender") == 0;
  peer_content_init(&peer.content, strtoul(peer_option(argc, argv, "size"), NULL, 10));
  peer_judge_init(&peer.judge, &peer.content);
  open_socket(&peer, peer_option(argc, argv, "address"), sends);
  pthread_t thread;
  if (!sends) {
    pthread_create(&thread, NULL, receive, &peer);
  }
  int major, minor, patch;
  zmq_version(&major, &minor, &patch);
  peer_say(peer.role, "ready",
           "\"version\":\"libzmq %d.%d.%d\",\"settings\":\"%s, one I/O thread in each process, high-water mark 8 MiB of messages, 64 to 20000\"",
           major, minor, patch, peer.has_replies ? "PAIR" : "PUSH to PULL");
  peer_sender sender = {.content = &peer.content, .library = &peer, .send = send_one, .answer = answer};
  char word[16];
  int64_t number;
  while (peer_hear(word, sizeof word, &number)) {
    if (strcmp(word, "expect") == 0) {
      judge_round(&peer, (uint64_t)number);
    } else if (peer.has_replies) {
      peer_request_round(&sender, number);
    } else {
      peer_send_round(&sender, number);
    }
  }
  _exit(0);  // what the library still has queued is not waited for
}
