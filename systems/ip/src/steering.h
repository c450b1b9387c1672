// SPDX-License-Identifier: Apache-2.0
//
// Programs for the kernel that choose a TAP's queue for a frame.
#pragma once

#include <cstdint>

#include "base/descriptor.h"

namespace verbena::ip {

/// By the processor that sends. Without a descriptor, and errno set, on failure.
base::FileDescriptor loadByProcessor();
/// One after the other.
base::FileDescriptor loadRoundRobin();

}  // namespace verbena::ip
