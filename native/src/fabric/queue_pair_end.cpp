// SPDX-License-Identifier: Apache-2.0
#include "fabric/queue_pair_end.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include "base/wire.h"

namespace verbena::fabric {
namespace {

using base::getLittle;
using base::putLittle;
using base::Result;

// Offsets in bytes; integers are little-endian.
constexpr size_t kQpNumAt = 0;
constexpr size_t kSendPsnAt = 4;
constexpr size_t kGidAt = 8;
constexpr size_t kLidAt = 24;
constexpr size_t kMtuAt = 26;
constexpr size_t kMaxReadsServedAt = 27;

constexpr uint32_t kMask24 = 0xffffff;

}  // namespace

base::Error refusedEnd(connect::NodeId peer, const std::string& reason) {
  return {"connect to node " + std::to_string(peer), "", EPROTO, reason};
}

connect::LinkEnd QueuePairEnd::with(std::span<const std::byte> terms) const {
  std::array<std::byte, connect::LinkEnd::kMostBytes> bytes{};
  std::span<std::byte> into(bytes);
  putLittle(into, kQpNumAt, qpNum);
  putLittle(into, kSendPsnAt, sendPsn);
  std::memcpy(bytes.data() + kGidAt, gid.raw, sizeof gid.raw);
  putLittle(into, kLidAt, lid);
  putLittle(into, kMtuAt, mtu);
  putLittle(into, kMaxReadsServedAt, maxReadsServed);
  size_t count = std::min(terms.size(), bytes.size() - kBytes);  // services see to it that they fit
  std::copy_n(terms.begin(), count, bytes.begin() + kBytes);
  return connect::LinkEnd(into.first(kBytes + count));
}

std::span<const std::byte> QueuePairEnd::termsOf(const connect::LinkEnd& end) {
  return end.bytes().subspan(std::min(kBytes, end.bytes().size()));
}

Result<QueuePairEnd> QueuePairEnd::of(connect::NodeId peer, const connect::LinkEnd& bytes) {
  std::span<const std::byte> from = bytes.bytes();
  if (from.size() < kBytes) {
    return refusedEnd(peer, "its end has " + std::to_string(from.size()) + " bytes, fewer than " +
                                std::to_string(kBytes));
  }
  QueuePairEnd end;
  end.qpNum = getLittle<uint32_t>(from, kQpNumAt);
  end.sendPsn = getLittle<uint32_t>(from, kSendPsnAt);
  std::memcpy(end.gid.raw, from.data() + kGidAt, sizeof end.gid.raw);
  end.lid = getLittle<uint16_t>(from, kLidAt);
  end.mtu = getLittle<uint8_t>(from, kMtuAt);
  end.maxReadsServed = getLittle<uint8_t>(from, kMaxReadsServedAt);
  if (end.qpNum > kMask24 || end.sendPsn > kMask24) {
    return refusedEnd(peer, "its queue pair " + std::to_string(end.qpNum) +
                                " or its first packet " + std::to_string(end.sendPsn) +
                                " has a number of more than 24 bits");
  }
  if (end.mtu < IBV_MTU_256 || end.mtu > IBV_MTU_4096) {
    return refusedEnd(peer, "its MTU has the unknown code " + std::to_string(end.mtu));
  }
  return end;
}

}  // namespace verbena::fabric
