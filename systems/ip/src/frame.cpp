// SPDX-License-Identifier: Apache-2.0
#include "frame.h"

#include <cstdio>
#include <cstring>

#include "base/wire.h"

namespace verbena::ip {
namespace {

constexpr size_t kFlagsAt = 0;
constexpr size_t kSegmentsAt = 1;
constexpr size_t kHeadersAt = 2;
constexpr size_t kSegmentBytesAt = 4;
constexpr size_t kChecksumFromAt = 6;
constexpr size_t kChecksumOffsetAt = 8;
constexpr size_t kChecksumBytes = 2;

// linux/virtio_net.h, which is not C++.
constexpr uint8_t kPartialChecksum = 1;
constexpr uint8_t kChecksumIsValid = 2;
constexpr uint8_t kKnownFlags = kPartialChecksum | kChecksumIsValid;
constexpr uint8_t kNoSegments = 0;
constexpr uint8_t kSegmentsOfTcpV4 = 1;
constexpr uint8_t kSegmentsOfTcpV6 = 4;
constexpr uint8_t kSegmentsOfUdp = 5;
constexpr uint8_t kWithEcn = 0x80;

bool isKnown(uint8_t segments) {
  uint8_t kind = segments & static_cast<uint8_t>(~kWithEcn);
  bool isTcp = kind == kSegmentsOfTcpV4 || kind == kSegmentsOfTcpV6;
  return isTcp || segments == kSegmentsOfUdp;
}

}  // namespace

Mac macOf(uint32_t node) {
  return {0x02, 0x56, 0x42, 0x00, static_cast<uint8_t>(node >> 8), static_cast<uint8_t>(node)};
}

std::string nameOf(const Mac& mac) {
  std::array<char, 18> text;
  std::snprintf(text.data(), text.size(), "%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2],
                mac[3], mac[4], mac[5]);
  return text.data();
}

const char* nameOf(Drop drop) {
  switch (drop) {
    case Drop::none: return "none";
    case Drop::tooShort: return "too-short";
    case Drop::tooLong: return "too-long";
    case Drop::unknownFlags: return "unknown-flags";
    case Drop::checksumOutside: return "checksum-outside";
    case Drop::unknownSegments: return "unknown-segments";
    case Drop::segmentSize: return "segment-size";
    case Drop::headersOutside: return "headers-outside";
    case Drop::noBatch: return "no-batch";
    case Drop::foreignSource: return "foreign-source";
    case Drop::otherNode: return "other-node";
    case Drop::peerIsSlow: return "peer-is-slow";
    case Drop::peerIsAway: return "peer-is-away";
    case Drop::noRoom: return "no-room";
    case Drop::kernel: return "kernel";
    case Drop::count: break;
  }
  return "";
}

Heading Heading::of(std::span<const std::byte> header, std::span<const std::byte> frame) {
  Heading heading;
  std::memcpy(heading.header.data(), header.data(), kHeaderBytes);
  std::memcpy(heading.destination.data(), frame.data(), heading.destination.size());
  std::memcpy(heading.source.data(), frame.data() + heading.destination.size(),
              heading.source.size());
  return heading;
}

bool Heading::isSuperFrame() const {
  return std::to_integer<uint8_t>(header[kSegmentsAt]) != kNoSegments;
}

Drop Heading::fault(size_t frameBytes) const {
  if (frameBytes < kEthernetBytes) return Drop::tooShort;
  if (frameBytes > kMostFrame) return Drop::tooLong;
  auto flags = std::to_integer<uint8_t>(header[kFlagsAt]);
  auto segments = std::to_integer<uint8_t>(header[kSegmentsAt]);
  bool isPartial = (flags & kPartialChecksum) != 0;
  if ((flags & ~kKnownFlags) != 0) return Drop::unknownFlags;
  if (isPartial) {
    size_t from = base::getLittle<uint16_t>(header, kChecksumFromAt);
    size_t at = from + base::getLittle<uint16_t>(header, kChecksumOffsetAt);
    if (from < kEthernetBytes || at + kChecksumBytes > frameBytes) return Drop::checksumOutside;
  }
  if (segments == kNoSegments) return Drop::none;
  if (!isKnown(segments) || !isPartial) return Drop::unknownSegments;
  if (base::getLittle<uint16_t>(header, kSegmentBytesAt) == 0) return Drop::segmentSize;
  size_t headers = base::getLittle<uint16_t>(header, kHeadersAt);
  if (headers < kEthernetBytes || headers > frameBytes) return Drop::headersOutside;
  return Drop::none;
}

}  // namespace verbena::ip
