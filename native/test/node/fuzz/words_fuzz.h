// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace verbena::node::testing {

/// Reads the bytes as each of the things that nodes tell each other before they can trust one
/// another: a key of memory, the ends of links and their services' terms, a packet of the exchange,
/// both sides of the handshake of softnic's wire. Aborts if one is read that does not come out as
/// it went in, that could not have been said, or that proves a key nobody knows.
void readAsWords(const uint8_t* bytes, size_t count);

}  // namespace verbena::node::testing
