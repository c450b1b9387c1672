// SPDX-License-Identifier: Apache-2.0
//
// Two processes that have handles with each other, which either has opened, end at the same time:
// each waits for the ends of all handles.
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include "verbena/mtcl.hpp"

namespace {

constexpr int kHandles = 8;        // that each of both opens
constexpr int kTries = 100;        // until the other process listens
constexpr unsigned kPauseMs = 50;  // between them

std::string addressOf(int party) {
  return "VERBENA:localhost:" + std::to_string(13600 + party);
}

int meet(int self) {
  MTCL::Manager::registerType<verbena::mtcl::ConnVerbena>("VERBENA");
  MTCL::Manager::init("party" + std::to_string(self));
  if (MTCL::Manager::listen(addressOf(self)) != 0) return 1;
  std::vector<MTCL::HandleUser> handles;
  for (int i = 0; i < kHandles; i++) {
    handles.push_back(MTCL::Manager::connect(addressOf(1 - self), kTries, kPauseMs));
    if (!handles.back().isValid()) return 1;
  }
  for (int i = 0; i < kHandles; i++) handles.push_back(MTCL::Manager::getNext());
  MTCL::Manager::finalize(true);
  return 0;
}

}  // namespace

int main() {
  pid_t other = fork();
  if (other == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    _exit(meet(1));
  }
  int met = meet(0);
  int status = 0;
  waitpid(other, &status, 0);
  std::printf("%s\n", met == 0 && status == 0 ? "both have ended" : "one has failed");
  return met == 0 && status == 0 ? 0 : 1;
}
