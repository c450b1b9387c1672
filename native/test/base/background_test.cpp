// SPDX-License-Identifier: Apache-2.0
//
// What threads in the background do with signals.
#include "base/background.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace verbena::base {
namespace {

volatile char* closed = nullptr;
thread_local bool isOurs = false;

void open(int) {
  if (!isOurs) abort();
  mprotect(const_cast<char*>(closed), 1, PROT_READ | PROT_WRITE);
}

/// Crash reporters and virtual machines have such handlers.
TEST(Background, WhatAThreadBringsUponItselfReachesTheHandlerOfTheApplication) {
  closed = static_cast<char*>(mmap(nullptr, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(closed, MAP_FAILED);
  struct sigaction action {
  }, before{};
  action.sa_handler = open;
  sigaction(SIGSEGV, &action, &before);
  std::thread thread;
  ASSERT_TRUE(startInBackground(thread, [] {
    isOurs = true;
    *closed = 1;
  }));
  thread.join();
  sigaction(SIGSEGV, &before, nullptr);
  EXPECT_EQ(*closed, 1);
  munmap(const_cast<char*>(closed), 1);
}

TEST(Background, SignalsOfOthersAreNotDeliveredToAThread) {
  sigset_t blocked;
  std::thread thread;
  ASSERT_TRUE(startInBackground(thread, [&] { pthread_sigmask(SIG_BLOCK, nullptr, &blocked); }));
  thread.join();
  for (int each : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGCHLD, SIGALRM, SIGPIPE}) {
    EXPECT_EQ(sigismember(&blocked, each), 1) << each;
  }
  sigset_t here;
  pthread_sigmask(SIG_BLOCK, nullptr, &here);
  EXPECT_EQ(sigismember(&here, SIGINT), 0) << "of who starts one nothing changes";
}

}  // namespace
}  // namespace verbena::base
