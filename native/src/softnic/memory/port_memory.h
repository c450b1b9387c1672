// SPDX-License-Identifier: Apache-2.0
//
// What a port (one open context) shows to its peers on the same host: the layout of the file
// "port-SLOT". Its owner writes the tables; peers read them to operate directly on its memory,
// write `inbound`, `inboundChanges`, `doorbell` and their marks, and nothing else.
#pragma once

#include <infiniband/verbs.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace verbena::softnic {

inline constexpr uint64_t kPortMagic = 0x3554'524f'5042'4e56;  // "VNBPORT5"
inline constexpr uint32_t kMaxGids = 4;

// A queue pair number says whose it is: the slot of the port, then the index in the port.
inline constexpr uint32_t kQpIndexBits = 12;
inline constexpr uint32_t kQpsPerPort = 1U << kQpIndexBits;
inline constexpr uint32_t kSlots = 1U << (24 - kQpIndexBits);
/// The first indices stay unused: numbers 0 and 1 mean the management queue pairs.
inline constexpr uint32_t kFirstQpIndex = 16;
constexpr uint32_t slotOf(uint32_t qpn) {
  return qpn >> kQpIndexBits;
}
constexpr uint32_t qpIndexOf(uint32_t qpn) {
  return qpn & (kQpsPerPort - 1);
}
constexpr uint32_t qpnOf(uint32_t slot, uint32_t index) {
  return slot << kQpIndexBits | index;
}

// A memory key says where its region is in the table; the rest is its tag (key_tags.h), so that an
// old or guessed key does not fit.
inline constexpr uint32_t kKeyTagBits = 18;
inline constexpr uint32_t kRegionsPerPort = 1U << (32 - kKeyTagBits);
constexpr uint32_t regionIndexOf(uint32_t key) {
  return key >> kKeyTagBits;
}

/// A queue pair as its peer's initiator sees it.
struct PublishedQp {
  /// State, remote access flags, number of the queue pair it is connected to, protection domain
  /// (packControl), in one word so that no reader sees half a change. 0: there is none.
  alignas(64) std::atomic<uint64_t> control;
  /// The mark of an initiator that operates on the port's memory right now (packMark), else 0. The
  /// target waits for it before it lets go of the memory, and takes it from who stays too long.
  alignas(64) std::atomic<uint64_t> mark;
};

struct QpControl {
  bool receives;         // state is RTR, RTS or SQD
  uint32_t accessFlags;  // IBV_ACCESS_REMOTE_*
  uint32_t connectedTo;
  uint32_t pd;
};
constexpr uint64_t packControl(QpControl c) {
  return static_cast<uint64_t>(c.pd) << 32 | static_cast<uint64_t>(c.connectedTo) << 8 |
         static_cast<uint64_t>(c.accessFlags & 0xe) | (c.receives ? 1U : 0U);
}
constexpr QpControl unpackControl(uint64_t word) {
  return {(word & 1) != 0, static_cast<uint32_t>(word & 0xe),
          static_cast<uint32_t>(word >> 8) & 0xffffff, static_cast<uint32_t>(word >> 32)};
}

/// The queue pair that operates, and the remote key it operates with. No other initiator has the
/// same mark, so that nobody takes away another one's.
constexpr uint64_t packMark(uint32_t qpn, uint32_t rkey) {
  return static_cast<uint64_t>(qpn) << 32 | rkey;
}
constexpr uint32_t qpnOfMark(uint64_t mark) {
  return static_cast<uint32_t>(mark >> 32);
}
constexpr uint32_t keyOfMark(uint64_t mark) {
  return static_cast<uint32_t>(mark);
}

/// A memory region as a peer's initiator sees it. The fields may be read between storing
/// PublishedQp::mark and clearing it, if `key` matched after the store.
struct alignas(64) PublishedRegion {
  std::atomic<uint64_t> keyAndAccess;  // key in the low half, access flags in the high; 0: none
  std::atomic<uint64_t> address;
  std::atomic<uint64_t> lengthBytes;
  std::atomic<uint64_t> segmentOffset;
  std::atomic<uint32_t> segment;  // 0: memory that peers cannot map, or not any more
  std::atomic<uint32_t> pd;
};

inline constexpr uint64_t kLostRing = UINT64_MAX;

struct PortMemory {
  uint64_t magic;  // written last by the creator, before the file gets its name
  uint64_t incarnation;
  uint32_t slot;
  uint32_t gidCount;
  ibv_gid gids[kMaxGids];
  /// 1 while open; 0 from an orderly close on. A killed owner is found by its lock (SharedFile).
  std::atomic<uint32_t> open;
  /// How many entries of the tables below have ever been used, and so have memory behind them.
  std::atomic<uint32_t> qpsUsed;
  std::atomic<uint32_t> regionsUsed;
  /// Counts the segments that were freed: peers then give back their mappings of them.
  std::atomic<uint32_t> segmentsFreed;

  /// The owner's SignOfLife: peers see at once that it was killed, and without a system call.
  alignas(64) std::atomic<uint32_t> alive;

  /// The owner sleeps on `doorbell` and sets `asleep` before; whoever published something for it
  /// looks at `asleep`, and only then pays for a system call.
  alignas(64) std::atomic<uint32_t> doorbell;
  alignas(64) std::atomic<uint32_t> asleep;
  /// Counts changes of `inbound`.
  alignas(64) std::atomic<uint32_t> inboundChanges;
  /// By slot of the peer: its incarnation once its ring to this port can be opened; kLostRing from
  /// the owner if that has lost its name before.
  alignas(4096) std::atomic<uint64_t> inbound[kSlots];
  alignas(4096) PublishedQp qps[kQpsPerPort];
  alignas(4096) PublishedRegion regions[kRegionsPerPort];
};
static_assert(offsetof(PortMemory, qps) % 4096 == 0);
static_assert(std::atomic<uint64_t>::is_always_lock_free);

}  // namespace verbena::softnic
