// SPDX-License-Identifier: Apache-2.0
#include "ends.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void peer_ends_init(peer_ends* ends, int argc, char** argv) {
  ends->role = peer_option(argc, argv, "role");
  ends->has_replies = strcmp(peer_option(argc, argv, "workload"), "latency") == 0;
  ends->sends = strcmp(ends->role, "sender") == 0;
  peer_content_init(&ends->content, strtoul(peer_option(argc, argv, "size"), NULL, 10));
  peer_judge_init(&ends->judge, &ends->content);
}

static void judge_round(peer_ends* ends, uint64_t sent) {
  char verdict[512];
  peer_await(&ends->judge, sent);
  peer_verdict(&ends->judge, sent, verdict, sizeof verdict);
  peer_say(ends->role, "received", "%s", verdict);
}

_Noreturn void peer_ends_run(peer_ends* ends, const char* version, const char* settings) {
  pthread_t thread;
  if (!ends->sends) {
    pthread_create(&thread, NULL, ends->receive, ends);
  }
  peer_say(ends->role, "ready", "\"version\":\"%s\",\"settings\":\"%s\"", version, settings);
  peer_sender sender = {.content = &ends->content,
                        .library = ends,
                        .send = ends->send,
                        .answer = ends->answer,
                        .flush = ends->flush};
  char word[16];
  int64_t number;
  while (peer_hear(word, sizeof word, &number)) {
    if (strcmp(word, "expect") == 0) {
      judge_round(ends, (uint64_t)number);
    } else if (ends->has_replies) {
      peer_request_round(&sender, number);
    } else {
      peer_send_round(&sender, number);
    }
  }
  _exit(0);  // what the library still has queued is not waited for
}
