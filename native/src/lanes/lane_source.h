// SPDX-License-Identifier: Apache-2.0
//
// A zero-ahead lane (docs/protocol.md, "Lanes") as the source of a stream.
#pragma once

#include <cstddef>
#include <cstdint>

#include "streams/engine.h"

namespace verbena::lanes {

/// Where the parts of a lane's memory lie.
inline constexpr uint64_t kHintOffset = 0;
inline constexpr uint64_t kPostedOffset = 256;
inline constexpr uint64_t kRingOffset = 4096;

class LaneSource final : public streams::Source {
 public:
  /// `boundary`: where a frame starts; everything below it is published. The memory is kept valid
  /// by whoever owns the source.
  LaneSource(std::byte* memory, uint64_t capacity, uint64_t boundary)
      : memory_(memory), mask_(capacity - 1), boundary_(boundary) {}

  uint64_t publishedEnd(uint64_t from, uint64_t maxBytes) override;
  void posting(uint64_t end) override;

 private:
  std::byte* memory_;
  uint64_t mask_;
  uint64_t boundary_;
};

}  // namespace verbena::lanes
