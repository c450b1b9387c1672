// SPDX-License-Identifier: Apache-2.0
//
// What the ends of a channel say when they are linked (docs/protocol.md, "Channels"): the version,
// and of the reader where its ring is.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "fabric/region_key.h"

namespace verbena::fifo {

/// Of the reader: its ring. A writer says nothing but the version.
struct RingWords {
  /// The reader shares no memory: no file has this name.
  static constexpr uint64_t kNoFile = 0;

  uint64_t name = kNoFile;  ///< of its file
  fabric::RegionKey key{};  ///< of the whole file
  uint32_t turn = 0;        ///< of the writer, to take its memory in (RingHead)
  uint64_t capacity() const;

  static std::vector<std::byte> ofWriter();
  std::vector<std::byte> bytes() const;
  /// EPROTO if they are of another version or make no sense.
  static base::Result<RingWords> ofReader(std::span<const std::byte> words);
  static base::Result<void> checkVersion(std::span<const std::byte> words);
};

}  // namespace verbena::fifo
