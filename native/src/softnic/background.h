// SPDX-License-Identifier: Apache-2.0
//
// Threads of ours in a process that is not.
#pragma once

#include <functional>
#include <thread>

namespace verbena::softnic {

/// Starts a thread that no signal is delivered to: those are the application's. False and errno if
/// the system has no thread for us.
bool startInBackground(std::thread& thread, std::function<void()> body);

}  // namespace verbena::softnic
