// SPDX-License-Identifier: Apache-2.0
//
// Words that nodes tell each other besides frames, by the first queue's channel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "frame.h"

namespace verbena::ip {

/// First of all: who writes here.
struct Hello {
  static constexpr uint16_t kVersion = 1;

  uint16_t version = kVersion;
  bool takesUdpSuperFrames = false;
  uint32_t mtu = 0;
  Mac mac{};

  std::vector<std::byte> bytes() const;
};

/// A queue of the writer's wants to write: its channel is to be read.
struct ReadFrom {
  uint16_t queue = 0;

  std::vector<std::byte> bytes() const;
};

/// Nothing: the message is no such word.
std::optional<Hello> helloIn(std::span<const std::byte> message);
std::optional<ReadFrom> readFromIn(std::span<const std::byte> message);

}  // namespace verbena::ip
