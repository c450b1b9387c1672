// SPDX-License-Identifier: Apache-2.0
//
// What one send carries: a slice header and a piece of one stream, and in its immediate data the
// node it comes from and the flow-control report. The header alone says that the piece has been
// written to where it belongs before. A send without bytes is a report alone.
#pragma once

#include <arpa/inet.h>
#include <endian.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "connect/link.h"

namespace verbena::streams {

/// Of a slice that starts at `position` of `stream`. On the wire: little endian, 16 bytes.
struct SliceHeader {
  uint32_t stream;
  uint32_t placed;  ///< how many bytes were written before; 0: they follow
  uint64_t position;
};
static_assert(sizeof(SliceHeader) == 16 && offsetof(SliceHeader, position) == 8);

inline constexpr uint32_t kSliceHeaderBytes = sizeof(SliceHeader);

/// The stream that every connection has from the start: small, freed on the far side's receipt, and
/// never placed.
inline constexpr uint32_t kControlStream = 0;
/// No more is placed at once.
inline constexpr uint32_t kMostPlaced = 1U << 30;

inline SliceHeader toWire(uint32_t stream, uint64_t position, uint32_t placed) {
  return {htole32(stream), htole32(placed), htole64(position)};
}

inline SliceHeader fromWire(const std::byte* bytes) {
  SliceHeader header;
  std::memcpy(&header, bytes, sizeof header);
  return {le32toh(header.stream), le32toh(header.placed), le64toh(header.position)};
}

/// The immediate data of every send: whose it is (nodes up to connect::kMostGiven have streams),
/// whether more is there to be sent than the far side's window lets through, and how many of the
/// far side's sends this side has done with, since the connection began, modulo 2^15. What this
/// side's window has grown by counts as done, too.
struct Immediate {
  static constexpr uint32_t kWaits = 1U << 15;

  connect::NodeId node;
  uint16_t givenBack;
  bool waits = false;

  uint32_t toWire() const {
    return htonl(node << 16 | (waits ? kWaits : 0) | (givenBack & (kWaits - 1)));
  }
  static Immediate fromWire(uint32_t bytes) {
    uint32_t value = ntohl(bytes);
    return {value >> 16, static_cast<uint16_t>(value & (kWaits - 1)), (value & kWaits) != 0};
  }
};

}  // namespace verbena::streams
