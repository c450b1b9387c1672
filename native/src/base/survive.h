// SPDX-License-Identifier: Apache-2.0
//
// The process is a JVM's, and not ours to end.
#pragma once

#include <chrono>
#include <exception>
#include <thread>

namespace verbena::base {

/// Does a step whose failure is not to be the thread's end. What throws is a lack of memory, or a
/// kernel that refuses something; it costs what the step was about: a packet, which its sender
/// repeats, a dial, which its deadline ends, or what somebody is told.
template <typename Step>
void survive(Step step) noexcept {
  constexpr std::chrono::milliseconds kBreather{1};
  try {
    step();
  } catch (const std::exception&) {
    std::this_thread::sleep_for(kBreather);
  }
}

}  // namespace verbena::base
