// SPDX-License-Identifier: Apache-2.0
//
// A frame as it goes between a TAP device and the fabric: virtio's header of 12 bytes, Ethernet's,
// and what follows. It may be a super-frame: a segment of up to 64 KiB that is cut where it leaves
// for a real network, and its checksum may be left to be computed there, too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace verbena::ip {

using Mac = std::array<uint8_t, 6>;

/// Of a node: 02:56:42:00 and its number. Locally administered.
Mac macOf(uint32_t node);
std::string nameOf(const Mac& mac);
inline bool isForMany(const Mac& mac) {
  return (mac[0] & 1) != 0;
}

/// virtio_net_hdr_v1, little-endian.
inline constexpr size_t kHeaderBytes = 12;
inline constexpr size_t kEthernetBytes = 14;
/// The longest packet of IP, Ethernet's header and two VLAN tags.
inline constexpr size_t kMostFrame = 65'535 + kEthernetBytes + 8;

/// Why a frame goes no further.
enum class Drop : uint8_t {
  none,
  // its bytes
  tooShort,
  tooLong,
  unknownFlags,
  checksumOutside,
  unknownSegments,
  segmentSize,
  headersOutside,
  noBatch,
  // its addresses
  foreignSource,
  otherNode,
  // its way
  peerIsSlow,
  peerIsAway,
  noRoom,
  kernel,
  count
};
const char* nameOf(Drop drop);

/// The beginning of a frame, copied: whoever sends by shared memory can change what lies there.
struct Heading {
  std::array<std::byte, kHeaderBytes> header;
  Mac destination;
  Mac source;

  /// `header`: of kHeaderBytes; `frame`: at least as long as Ethernet's header.
  static Heading of(std::span<const std::byte> header, std::span<const std::byte> frame);
  bool isSuperFrame() const;
  /// The fault of it as the beginning of a frame of so many bytes.
  Drop fault(size_t frameBytes) const;
};

}  // namespace verbena::ip
