// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "streams/ring.h"

namespace verbena::streams {

/// Where the far side lets us write a stream's bytes ourselves: a ring as long as ours.
struct Place {
  uint64_t address;
  uint32_t key;
};

/// An outgoing stream, as its connection sees it. Belongs to whoever has the connection's turn.
struct OutStream {
  uint32_t number;
  std::shared_ptr<Ring> ring;  ///< null for the control stream, whose memory the engine owns
  std::byte* data;
  uint32_t lkey;
  uint64_t mask;  ///< of the data's length, a power of two
  Source* source;
  uint64_t posted;         ///< the position that sends have got to
  uint64_t published = 0;  ///< as far as the source has told
  std::optional<Place> place{};
  uint64_t quietIn = 0;  ///< the last chain that it had nothing for

  /// As many of so many bytes as lie before the ring's end.
  uint32_t untilRingEnd(uint32_t bytes) const {
    return static_cast<uint32_t>(std::min<uint64_t>(bytes, mask + 1 - (posted & mask)));
  }
  ibv_sge piece(uint64_t position, uint32_t bytes) const {
    return {reinterpret_cast<uintptr_t>(data + (position & mask)), bytes, lkey};
  }

  /// How many bytes can be sent now, asking the source only when all it told of has been posted. A
  /// source that tells of more than the ring holds is not believed.
  uint64_t ready(uint64_t wantedBytes) {
    if (published <= posted) published = source->publishedEnd(posted, wantedBytes);
    return published <= posted ? 0 : std::min(published - posted, mask + 1);
  }
};

}  // namespace verbena::streams
