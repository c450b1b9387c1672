// SPDX-License-Identifier: Apache-2.0
//
// What the manager needs of whoever owns the ends of links, and the other way round. The manager
// knows addresses, lives and time; the owner knows what a link is made of. Neither includes the
// other's headers but this one, and what describes an end is bytes to the manager.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"

namespace verbena::connect {

/// Id of a node. Up to kMostGiven are given by who deploys nodes; a node that nobody numbers takes
/// a larger one by chance.
using NodeId = uint32_t;
inline constexpr NodeId kMostGiven = 0xFFFF;
inline constexpr NodeId kMostNode = 0x7FFF'FFFF;
/// Whoever is at an address: only a question is for it.
inline constexpr NodeId kAnyNode = 0xFFFF'FFFF;

/// One link of one owner, for as long as it is not closed; never used again afterwards.
using LinkId = uint64_t;

/// What a link with a peer is for. A pair of nodes has at most one link of a name at a time.
struct LinkName {
  uint16_t service = 0;  ///< 0 is none
  uint16_t rail = 0;     ///< several links of one service are told apart by it

  friend auto operator<=>(const LinkName&, const LinkName&) = default;
};

/// One end of a link as the other end has to know it: bytes of its owner.
class LinkEnd {
 public:
  static constexpr size_t kMostBytes = 124;

  LinkEnd() = default;
  /// Of more bytes than an end can have only the first are taken.
  explicit LinkEnd(std::span<const std::byte> bytes) : count_(std::min(bytes.size(), kMostBytes)) {
    std::copy_n(bytes.begin(), count_, bytes_.begin());
  }

  std::span<const std::byte> bytes() const { return std::span(bytes_).first(count_); }

  friend bool operator==(const LinkEnd&, const LinkEnd&) = default;

 private:
  size_t count_ = 0;
  std::array<std::byte, kMostBytes> bytes_{};  // zeros behind the count
};

/// A link whose end is to be made.
struct NewLink {
  LinkId id = 0;
  NodeId peer = 0;
  LinkName name{};
  const LinkEnd* offered = nullptr;  ///< the far side's end; null: this side offers
  uint64_t incarnation = 0;          ///< of the peer: which of its lives
};

/// The owner of the ends. All calls but destroy() come from the manager's job thread and do not
/// block.
class LinkOwner {
 public:
  virtual ~LinkOwner() = default;

  /// A new end that can be told the far one. The error's sentence reaches the user; EPROTO says
  /// that the two ends do not understand each other. After an error nothing is left of the id.
  virtual base::Result<LinkEnd> create(const NewLink& link) = 0;
  /// The far end is known: from here on what it sends is received. Nothing is sent yet.
  virtual base::Result<void> connect(LinkId id, const LinkEnd& far) = 0;
  /// The far end receives: sending may begin.
  virtual void ready(LinkId id) = 0;
  /// Begins to take the link down, in whichever state it is. When nothing of it is under way any
  /// more and its end is gone the owner calls Lifecycle::closed, exactly once.
  virtual void close(LinkId id, const std::string& reason) = 0;
  /// Lifecycle::drained() was called for it: what the end is made of goes. On a thread of its own,
  /// as a device may take its time. Not for owners that never call drained().
  virtual void destroy(LinkId /*id*/) {}
  /// Again and again while there are links, at least as often as signs of life are due. Returns by
  /// when it wants to be called again, on the same clock.
  virtual std::chrono::nanoseconds watch(std::chrono::nanoseconds /*now*/) { return kNoHurry; }
  static constexpr std::chrono::nanoseconds kNoHurry = std::chrono::nanoseconds::max();
};

/// What the owner tells the manager. Any thread; does not block.
class Lifecycle {
 public:
  virtual ~Lifecycle() = default;
  /// The link cannot be used any more (a failed completion, nonsense from the far side, a device
  /// that has gone). LinkOwner::close follows.
  virtual void failed(LinkId id, const std::string& reason) = 0;
  /// Nothing of it is under way any more. True: LinkOwner::destroy() follows, from another thread
  /// than those that move bytes. False: the caller does that itself.
  virtual bool drained(LinkId /*id*/) { return false; }
  /// Its end is gone.
  virtual void closed(LinkId id) = 0;
  /// LinkOwner::watch() follows soon.
  virtual void lookSoon() {}
};

}  // namespace verbena::connect
