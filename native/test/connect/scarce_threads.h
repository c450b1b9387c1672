// SPDX-License-Identifier: Apache-2.0
//
// Takes the threads away from this program.
#pragma once

#include <atomic>

namespace verbena::connect::testing {

/// While it is set, whoever starts a thread is told EAGAIN.
extern std::atomic<bool> noMoreThreads;

}  // namespace verbena::connect::testing
