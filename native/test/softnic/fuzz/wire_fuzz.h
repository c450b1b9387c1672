// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace verbena::softnic::testing {

/// Lets the bytes lie in a ring as if a peer had written them, and reads it to the end. Aborts if
/// the reader ever shows a payload that is not within what was written.
void readAsWire(const uint8_t* bytes, size_t count);

}  // namespace verbena::softnic::testing
