// SPDX-License-Identifier: Apache-2.0
//
// Threads of ours in a process that is not.
#pragma once

#include <pthread.h>

#include <cerrno>
#include <csignal>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

namespace verbena::base {

/// Starts a thread that no signal is delivered to: those are the application's. False and errno if
/// the system has no thread for us.
template <typename Body>
bool startInBackground(std::thread& thread, Body body) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // the new thread inherits it
  int failure = 0;
  try {
    thread = std::thread(std::move(body));
  } catch (const std::system_error& error) {
    failure = error.code().value();
  } catch (const std::bad_alloc&) {
    failure = ENOMEM;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (failure != 0) errno = failure;
  return failure == 0;
}

}  // namespace verbena::base
