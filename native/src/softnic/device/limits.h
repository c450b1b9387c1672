// SPDX-License-Identifier: Apache-2.0
//
// What the device says it can do, and holds callers to.
#pragma once

#include <cstdint>

namespace verbena::softnic {

inline constexpr uint32_t kMaxWorkRequests = 16384;
inline constexpr uint32_t kMaxInlineBytes = 1024;
inline constexpr uint32_t kCompletionVectors = 16;
inline constexpr uint32_t kMaxCompletions = 1U << 20;
inline constexpr uint8_t kMaxReads = 16;  // READs and atomics in flight of one queue pair
inline constexpr uint32_t kGrhBytes = 40;
/// How long a peer may be in the middle of a direct operation when its memory is taken back: a
/// piece takes microseconds, so who stays this long is stopped, or as good as dead.
inline constexpr uint64_t kStragglerNs = 1'000'000'000;

}  // namespace verbena::softnic
