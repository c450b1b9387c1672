// SPDX-License-Identifier: Apache-2.0
// A peer of two processes, each with one end: a thread of the receiver's takes what comes, the other thread of both speaks
// with the suite.
#ifndef VERBENA_PEER_ENDS_H
#define VERBENA_PEER_ENDS_H

#include "conversation.h"
#include "judge.h"
#include "rounds.h"

typedef struct peer_ends {
  const char* role;
  bool has_replies;
  bool sends;
  peer_content content;
  peer_judge judge;  // of the receiver
  // The receiver's: takes messages for ever, each by peer_take(), and sends them back where there are replies.
  void* (*receive)(void* ends);
  // The sender's.
  void (*send)(void* ends, uint64_t sequence);
  bool (*answer)(void* ends, uint64_t sequence);
  void (*flush)(void* ends);  // may be null
} peer_ends;

// Reads the options that the suite gives. The functions are the caller's to set.
void peer_ends_init(peer_ends* ends, int argc, char** argv);
// Does what the suite says until that has had enough, and exits. The end is open already.
_Noreturn void peer_ends_run(peer_ends* ends, const char* version, const char* settings);

#endif
