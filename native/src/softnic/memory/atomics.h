// SPDX-License-Identifier: Apache-2.0
//
// Atomic operations on 8 bytes, in whatever process: with one another, and, as it is chosen, with
// those of processors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace verbena::softnic {

enum class Atomics : uint8_t {
  /// They are the processors' own (IBV_ATOMIC_GLOB).
  OfProcessors,
  /// They are not: a value that a processor writes in between is lost, as with most adapters
  /// (IBV_ATOMIC_HCA). The process whose memory it is executes them.
  OfDevice,
};

/// By VERBENA_SOFTNIC_ATOMICS. Nothing, and a sentence on standard error, if that has another word:
/// a test that believes in an adapter's atomics would be green for nothing.
std::optional<Atomics> chosenAtomics();

uint64_t executeFetchAdd(Atomics how, std::byte* target, uint64_t add);
uint64_t executeCompareSwap(Atomics how, std::byte* target, uint64_t compare, uint64_t swap);

}  // namespace verbena::softnic
