// SPDX-License-Identifier: Apache-2.0
//
// What to tell the user about an errno of a control call.
#pragma once

#include <cstdint>
#include <string>

#include "verbs/handle.h"

namespace verbena::verbs {

/// RLIMIT_MEMLOCK of this process; UINT64_MAX when there is no limit.
uint64_t lockedMemoryLimitBytes();

/// Advice when a call that locks `bytes` of memory failed with `code` under a limit of
/// `limitBytes`; empty when the limit is not what failed it.
std::string lockedMemoryAdvice(int code, uint64_t bytes, uint64_t limitBytes);

/// What to tell before any call has failed; empty when the limit is enough for the queues and
/// buffers of a few connections.
std::string lockedMemoryTrouble(uint64_t limitBytes);

/// What the device itself says about an errno; empty: nothing.
std::string deviceAdvice(const OpenDevice& device, int code);

/// The error of making an object on an open device. ENOMEM of a kernel device is put down to the
/// locked-memory limit where that can be the reason: queues lock memory too.
base::Error creationError(const OpenDevice& device, std::string operation, int code,
                          uint64_t lockedBytes = 0);

/// A value above what the device can do, found before the device was asked.
base::Error limitError(const OpenDevice& device, std::string operation, const char* what,
                       uint64_t value, uint64_t limit);

}  // namespace verbena::verbs
