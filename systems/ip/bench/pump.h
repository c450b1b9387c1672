// SPDX-License-Identifier: Apache-2.0
//
// The baseline: a process that reads one TAP and writes the other, a thread each way.
#pragma once

#include "tap.h"

namespace verbena::ip {

/// In a process of its own, until it is killed. Returns its number when both devices are up.
int startPump(const TapOptions& one, const TapOptions& two);

}  // namespace verbena::ip
