// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace verbena::softnic::testing {

/// Plays a connected peer that sends whatever packets the bytes say, well formed or not, between
/// operations of our own; kStepBytes of them make a step. Aborts if anything is touched that the
/// peer was given no right to: memory around a registered region, or a receive buffer after its
/// completion.
void playHostilePeer(const uint8_t* bytes, size_t count);

inline constexpr size_t kStepBytes = 8;

}  // namespace verbena::softnic::testing
