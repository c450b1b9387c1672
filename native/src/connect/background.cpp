// SPDX-License-Identifier: Apache-2.0
#include "connect/background.h"

#include <pthread.h>

#include <csignal>
#include <system_error>
#include <utility>

namespace verbena::connect {

int startInBackground(std::thread& thread, std::function<void()> body) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // the new thread inherits it
  int failure = 0;
  try {
    thread = std::thread(std::move(body));
  } catch (const std::system_error& error) {
    failure = error.code().value();
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return failure;
}

}  // namespace verbena::connect
