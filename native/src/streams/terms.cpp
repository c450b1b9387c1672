// SPDX-License-Identifier: Apache-2.0
#include "streams/terms.h"

#include <string>

#include "base/wire.h"
#include "fabric/queue_pair_end.h"
#include "streams/slice.h"

namespace verbena::streams {
namespace {

using base::getLittle;
using fabric::refusedEnd;

// Offsets in bytes; integers are little-endian.
constexpr size_t kVersionAt = 0;
constexpr size_t kWindowAt = 2;
constexpr size_t kMaxSendBytesAt = 4;
constexpr size_t kMostWindowAt = 8;

}  // namespace

std::array<std::byte, Terms::kBytes> Terms::bytes() const {
  std::array<std::byte, kBytes> into{};
  base::putLittle(into, kVersionAt, version);
  base::putLittle(into, kWindowAt, window);
  base::putLittle(into, kMaxSendBytesAt, maxSendBytes);
  base::putLittle(into, kMostWindowAt, mostWindow);
  return into;
}

base::Result<Terms> Terms::of(connect::NodeId peer, std::span<const std::byte> bytes) {
  // The version lies where it does in every version, so that others can be told.
  auto version = bytes.size() < kWindowAt ? uint16_t{0} : getLittle<uint16_t>(bytes, kVersionAt);
  if (version != kEngineVersion) {
    return refusedEnd(peer, "it speaks version " + std::to_string(version) +
                                " of the engine, this side " + std::to_string(kEngineVersion));
  }
  if (bytes.size() != kBytes) {
    return refusedEnd(peer, "it says " + std::to_string(bytes.size()) + " bytes of its end, not " +
                                std::to_string(kBytes));
  }
  Terms terms{.version = version,
              .window = getLittle<uint16_t>(bytes, kWindowAt),
              .maxSendBytes = getLittle<uint32_t>(bytes, kMaxSendBytesAt),
              .mostWindow = getLittle<uint16_t>(bytes, kMostWindowAt)};
  bool window = terms.window >= kLeastWindow && terms.window <= terms.mostWindow &&
                terms.mostWindow <= kMostWindow;
  if (!window || terms.maxSendBytes <= kSliceHeaderBytes) {
    return refusedEnd(peer, "no sends can be made to it: its window is " +
                                std::to_string(terms.window) + ", later up to " +
                                std::to_string(terms.mostWindow) + ", sends of " +
                                std::to_string(terms.maxSendBytes) + " bytes");
  }
  return terms;
}

}  // namespace verbena::streams
