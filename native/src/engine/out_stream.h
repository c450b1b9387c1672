// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>

#include "engine/ring.h"

namespace verbena::engine {

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

  /// How many bytes can be sent now, asking the source only when all it told of has been posted. A
  /// source that tells of more than the ring holds is not believed.
  uint64_t ready(uint64_t wantedBytes) {
    if (published <= posted) published = source->publishedEnd(posted, wantedBytes);
    return published <= posted ? 0 : std::min(published - posted, mask + 1);
  }
};

}  // namespace verbena::engine
