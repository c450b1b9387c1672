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

/// The signals that others send. Those which a thread brings upon itself stay: were they blocked,
/// the kernel would end the process at once, past the handlers that report crashes.
inline sigset_t signalsOfOthers() {
  sigset_t all;
  sigfillset(&all);
  for (int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS}) sigdelset(&all, own);
  return all;
}

/// Starts a thread that nobody's signal is delivered to: those are the application's. False and
/// errno if the system has no thread for us.
template <typename Body>
bool startInBackground(std::thread& thread, Body body) {
  sigset_t others = signalsOfOthers();
  sigset_t before;
  pthread_sigmask(SIG_SETMASK, &others, &before);  // the new thread inherits it
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
