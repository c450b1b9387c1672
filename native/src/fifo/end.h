// SPDX-License-Identifier: Apache-2.0
//
// What the two ends of a channel have in common: the link below them, and how it ends.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "connect/link.h"
#include "fabric/one_sided.h"
#include "fifo/bell.h"

namespace verbena::fifo {

class Channels;
class Connections;

/// How an operation on a channel came out.
enum class Outcome : uint8_t {
  done,
  wouldBlock,  ///< nothing was done: no room, or no message; of a timed form: within its time
  ended,       ///< the writer has closed the channel, and all it wrote was read
  lost,        ///< the far end is gone; lostBecause() says why
  tooLarge,    ///< the message does not fit: in the ring as a whole, or where it is to be put
};

/// A side that waits in shared memory does rounds now and then, once in so many looks: links end by
/// them. Some microseconds.
inline constexpr uint32_t kLooksBetweenRounds = 64;

/// What the far ends of ends that have gone may still write to, by the links that they use for it.
using Kept = std::map<connect::LinkId, std::shared_ptr<void>>;

struct ChannelWay {
  bool mapped = false;  ///< both ends have mapped the ring; else the device writes it
  std::string wire{};   ///< "mapped memory", or of the device: "mlx5_0", "softnic0 by TCP"
  /// Of the device, so far, by this end: messages and what tells of them, or of room.
  uint64_t puts = 0;
  uint64_t putBytes = 0;
  uint64_t signals = 0;

  /// All of it, for people.
  std::string sentence() const;
};

class End {
 public:
  End(const End&) = delete;
  End& operator=(const End&) = delete;

  uint16_t number() const { return number_; }
  /// 0 as long as there is no far end.
  connect::NodeId peer() const { return peer_.load(std::memory_order_acquire); }
  /// Whether there is a far end, or was one that nobody knows to have gone.
  bool isLinked() const { return phase() == Phase::linked; }
  /// Empty as long as the link lives.
  std::string lostBecause() const;
  Channels& channels() const { return all_; }
  /// Whether both ends use the same memory.
  virtual bool isShared() const = 0;
  /// How its messages go, of an end that is linked.
  ChannelWay way() const;

 protected:
  friend class Channels;
  friend class Connections;

  enum class Phase : uint8_t {
    unlinked,
    linked,
    over,  ///< nothing more comes, and what came is here
  };

  End(Channels& all, uint16_t number);
  virtual ~End() = default;

  /// Has it now, or had it.
  bool hasLinked() const { return phase() != Phase::unlinked; }
  bool isOver() const { return phase() == Phase::over; }
  Phase phase() const { return phase_.load(std::memory_order_acquire); }
  connect::LinkId link() const { return link_.load(std::memory_order_acquire); }
  /// The far end did what it may not: the link ends.
  void lose(const std::string& reason);
  /// What `once` returns, which is called until it does not say wouldBlock or the time is over.
  template <typename Once>
  Outcome timed(std::chrono::nanoseconds timeout, Once once);
  /// Posts a signal; false if it is not posted now.
  bool signal(uint32_t value);
  /// Ends the far end's sleep, if it said that it sleeps, and shares the ring's memory.
  void wake(std::atomic<uint32_t>& sleeps) {
    // Whoever sleeps has set it, and looked again afterwards (Channels::await()).
    if (sleeps.load(std::memory_order_relaxed) != 0) wakeSlowly(sleeps);
  }
  /// The same, also if it fell asleep in the moment of what it is woken for.
  void wakeSurely(std::atomic<uint32_t>& sleeps) {
    std::atomic_thread_fence(std::memory_order_seq_cst);  // pairs with Channels::arm()
    wake(sleeps);
  }

  // --- by Channels, before this end's thread sleeps and afterwards
  virtual void aboutToSleep() = 0;
  virtual void awake() = 0;
  /// Where the ring's memory is shared: by what the far end is woken.
  virtual uint64_t farBellName() const = 0;

  // --- by Channels, under its lock; the first two and the last under that of Openings
  /// What this end tells the far one when their link is made.
  virtual std::vector<std::byte> words() const = 0;
  virtual base::Result<void> hear(const connect::NewLink& link,
                                  std::span<const std::byte> words) = 0;
  virtual void signalled(uint32_t value) = 0;
  /// One operation more that has the link as its cookie is over, in the order of posting, and
  /// whether it is known to be done.
  virtual void completed(bool /*done*/) {}
  /// The link has ended before it came up. Whether the end waits for another one, as readers do.
  virtual bool waitsAgain() { return false; }

  Channels& all_;

 private:
  uint16_t number_;  // of a connection that is accepted: known only then

  void wakeSlowly(std::atomic<uint32_t>& sleeps);

  std::atomic<connect::LinkId> link_{0};
  std::atomic<connect::NodeId> peer_{0};
  std::atomic<Phase> phase_{Phase::unlinked};
  std::string reason_;  // guarded by the lock of Channels, like the next
  bool wasUp_ = true;   // false once its link has ended without
  // Made ahead: an end goes also where there is no memory left.
  Kept::node_type place_;  // for what is kept of it

  // of this end's thread
  std::optional<Bell> farBell_;
  bool hasNoBell_ = false;  // whoever made it has gone
};

}  // namespace verbena::fifo
