// SPDX-License-Identifier: Apache-2.0
#include "streams/queue_pair_end.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <span>
#include <string>

#include "streams/slice.h"

namespace verbena::streams {
namespace {

using base::Error;
using base::Result;

// Offsets in bytes; integers are little-endian.
constexpr size_t kQpNumAt = 0;
constexpr size_t kSendPsnAt = 4;
constexpr size_t kGidAt = 8;
constexpr size_t kLidAt = 24;
constexpr size_t kMtuAt = 26;
constexpr size_t kMaxReadsServedAt = 27;
constexpr size_t kVersionAt = 28;
constexpr size_t kWindowAt = 30;
constexpr size_t kMaxSendBytesAt = 32;
constexpr size_t kBytes = 36;
static_assert(kBytes <= connect::LinkEnd::kMostBytes);

constexpr uint32_t kMask24 = 0xffffff;

template <typename T>
void put(std::span<std::byte, kBytes> into, size_t at, T value) {
  for (size_t i = 0; i < sizeof(T); i++)
    into[at + i] = static_cast<std::byte>(static_cast<uint64_t>(value) >> 8 * i);
}

template <typename T>
T get(std::span<const std::byte> from, size_t at) {
  uint64_t value = 0;
  for (size_t i = sizeof(T); i-- > 0;) value = value << 8 | std::to_integer<uint64_t>(from[at + i]);
  return static_cast<T>(value);
}

Error refused(connect::NodeId peer, const std::string& reason) {
  return {"connect to node " + std::to_string(peer), "", EPROTO, reason};
}

}  // namespace

connect::LinkEnd QueuePairEnd::bytes() const {
  std::array<std::byte, kBytes> into{};
  put(std::span(into), kQpNumAt, qpNum);
  put(std::span(into), kSendPsnAt, sendPsn);
  std::memcpy(into.data() + kGidAt, gid.raw, sizeof gid.raw);
  put(std::span(into), kLidAt, lid);
  put(std::span(into), kMtuAt, mtu);
  put(std::span(into), kMaxReadsServedAt, maxReadsServed);
  put(std::span(into), kVersionAt, engineVersion);
  put(std::span(into), kWindowAt, window);
  put(std::span(into), kMaxSendBytesAt, maxSendBytes);
  return connect::LinkEnd(into);
}

Result<QueuePairEnd> QueuePairEnd::of(connect::NodeId peer, const connect::LinkEnd& bytes) {
  std::span<const std::byte> from = bytes.bytes();
  // The version lies where it does in every version, so that others can be told.
  auto version = from.size() < kWindowAt ? uint16_t{0} : get<uint16_t>(from, kVersionAt);
  if (version != kEngineVersion) {
    return refused(peer, "it speaks version " + std::to_string(version) +
                             " of the engine, this side " + std::to_string(kEngineVersion));
  }
  if (from.size() != kBytes) {
    return refused(peer, "its end has " + std::to_string(from.size()) + " bytes, not " +
                             std::to_string(kBytes));
  }
  QueuePairEnd end;
  end.qpNum = get<uint32_t>(from, kQpNumAt);
  end.sendPsn = get<uint32_t>(from, kSendPsnAt);
  std::memcpy(end.gid.raw, from.data() + kGidAt, sizeof end.gid.raw);
  end.lid = get<uint16_t>(from, kLidAt);
  end.mtu = get<uint8_t>(from, kMtuAt);
  end.maxReadsServed = get<uint8_t>(from, kMaxReadsServedAt);
  end.window = get<uint16_t>(from, kWindowAt);
  end.maxSendBytes = get<uint32_t>(from, kMaxSendBytesAt);
  if (end.qpNum > kMask24 || end.sendPsn > kMask24) {
    return refused(peer, "its queue pair " + std::to_string(end.qpNum) + " or its first packet " +
                             std::to_string(end.sendPsn) + " has a number of more than 24 bits");
  }
  if (end.window == 0 || end.maxSendBytes <= kSliceHeaderBytes) {
    return refused(peer, "it takes no sends: its window is " + std::to_string(end.window) +
                             " sends of " + std::to_string(end.maxSendBytes) + " bytes");
  }
  if (end.mtu < IBV_MTU_256 || end.mtu > IBV_MTU_4096) {
    return refused(peer, "its MTU has the unknown code " + std::to_string(end.mtu));
  }
  return end;
}

}  // namespace verbena::streams
