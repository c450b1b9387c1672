// SPDX-License-Identifier: Apache-2.0
//
// Threads of ours in a process that is not.
#pragma once

#include <functional>
#include <thread>

namespace verbena::connect {

/// Starts a thread that no signal is delivered to: those are the application's. 0, or an errno
/// value if the system has no thread for us.
int startInBackground(std::thread& thread, std::function<void()> body);

}  // namespace verbena::connect
