// SPDX-License-Identifier: Apache-2.0
//
// MTCL over Verbena: a process answers what another one asks, until that has asked enough.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "verbena/mtcl.hpp"

namespace {

constexpr const char* kAddress = "VERBENA:localhost:13579";
constexpr int kQuestions = 1000;
constexpr int kTries = 100;        // until the other process listens
constexpr unsigned kPauseMs = 50;  // between them

void begin(const char* name) {
  MTCL::Manager::registerType<verbena::mtcl::ConnVerbena>("VERBENA");
  MTCL::Manager::init(name);
}

/// Handles become ready, are read from, and are given up again, until one ends.
int answer() {
  begin("answers");
  if (MTCL::Manager::listen(kAddress) != 0) return 1;
  for (;;) {
    MTCL::HandleUser handle = MTCL::Manager::getNext();
    if (handle.isNewConnection()) {
      handle.yield();
      continue;
    }
    int question = 0;
    if (handle.receive(&question, sizeof question) <= 0) {
      handle.close();
      break;
    }
    int twice = 2 * question;
    handle.send(&twice, sizeof twice);
  }
  MTCL::Manager::finalize();
  return 0;
}

int ask() {
  begin("asks");
  MTCL::HandleUser handle = MTCL::Manager::connect(kAddress, kTries, kPauseMs);
  if (!handle.isValid()) return 1;
  int wrong = 0;
  for (int question = 0; question < kQuestions; question++) {
    int got = -1;
    handle.send(&question, sizeof question);
    handle.receive(&got, sizeof got);
    if (got != 2 * question) wrong++;
  }
  handle.close();
  MTCL::Manager::finalize(true);
  std::printf("%d of %d answers are right\n", kQuestions - wrong, kQuestions);
  return wrong == 0 ? 0 : 1;
}

}  // namespace

int main() {
  pid_t other = fork();
  if (other == 0) _exit(answer());
  int status = 0;
  int asked = ask();
  waitpid(other, &status, 0);
  return asked == 0 && status == 0 ? 0 : 1;
}
