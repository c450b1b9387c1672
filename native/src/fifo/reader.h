// SPDX-License-Identifier: Apache-2.0
//
// The reading end of a channel: it owns the ring.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "fabric/region.h"
#include "fifo/channels.h"
#include "fifo/end.h"
#include "fifo/ring.h"
#include "fifo/ring_file.h"

namespace verbena::fifo {

/// A message that is being copied out. It may take several calls.
struct Popping {
  std::span<std::byte> into;
  uint64_t bytes = 0;  ///< that have been copied
};

class Reader final : public End {
 public:
  /// A writer that still writes is told that nobody reads any more.
  ~Reader() override;

  /// The next message as it lies in the ring; it stays there until release(). tooLarge: it does not
  /// lie there as a whole; pop it.
  Outcome peek(std::span<const std::byte>& message) {
    Outcome none;
    shown_ = next(none);
    if (shown_.kind == Kind::none) return none;
    if (shown_.kind != Kind::whole || length_) return Outcome::tooLarge;
    message = shown_.bytes;
    return Outcome::done;
  }
  Outcome peek(std::span<const std::byte>& message, std::chrono::nanoseconds timeout);
  /// Done with the message that peek() has shown last. A writer that does not share the memory
  /// hears of the room with this call or a later one of this reader.
  void release() {
    if (shown_.kind != Kind::whole) return;
    releaseFrame(shown_);
    shown_.kind = Kind::none;
  }
  /// Behind a batch: wakes a writer that waits for the room of it, also one that fell asleep in the
  /// moment of a release. False: a writer that does not share the memory cannot be told now; call
  /// it again.
  bool nudge();
  /// Tells a writer that does not share the memory at once what was released. For readers of which
  /// the writer counts what they have not done yet (patterns/on_demand.h).
  void tell();

  /// The length of the next message.
  Outcome probe(uint64_t& bytes);
  /// Copies the next message. wouldBlock: not all of it is here; call again with the same.
  /// tooLarge: probe() says how much it is; nothing was copied.
  Outcome pop(Popping& message);
  /// bytes: its length. wouldBlock: the time is over, and the message goes on with the next pop().
  Outcome pop(Popping& message, std::chrono::nanoseconds timeout);

  /// Throws the next message away, whatever its size. wouldBlock: not all of it has come; call
  /// again. bytes: its length so far.
  Outcome drop(uint64_t& bytes);

  /// Up to where the writer may write over what was read, in bytes of the ring since it began.
  uint64_t released() const { return ring_.released(); }
  bool isShared() const override { return head_.isShared(); }
  /// Where messages lie.
  std::span<const std::byte> ring() const { return memory_->file.data(); }

 private:
  friend class Channels;
  friend class Connections;
  friend struct Openings;

  static base::Result<std::unique_ptr<Reader>> make(Channels& all, uint16_t number,
                                                    uint64_t capacity);
  struct Memory {
    RingFile file;
    std::shared_ptr<fabric::Region> region;  // of the file: goes first
  };
  Reader(Channels& all, uint16_t number, std::shared_ptr<Memory> memory, fabric::RegionKey key);
  /// It was never seen by anybody.
  void abandon() { memory_.reset(); }

  std::vector<std::byte> words() const override;
  base::Result<void> hear(const connect::NewLink& link, std::span<const std::byte> words) override;
  void signalled(uint32_t value) override;
  bool waitsAgain() override;

  void aboutToSleep() override;
  void awake() override;
  uint64_t farBellName() const override { return head_.writerBell; }

  uint64_t limit();
  /// The next frame; if there is none, `none` says why.
  Frame next(Outcome& none) {
    if (isShared() && phase() == Phase::linked && !ended_ && !broken_) {
      Frame frame = ring_.next(RingReader::kNoLimit);
      if (frame.kind != Kind::none && frame.kind != Kind::end) {
        inARow_++;
        return frame;
      }
    }
    return nextSlowly(none);
  }
  Frame nextSlowly(Outcome& none);
  Frame lostBy(const char* reason, Outcome& none);
  void idle();
  void stayAway();
  void releaseFrame(const Frame& frame) {
    ring_.release(frame);
    // release pairs with Writer::reclaim(): the bytes have been read
    head_.released.store(ring_.released(), std::memory_order_release);
    if (isShared()) return wake(head_.writerSleeps);
    if (ring_.released() - told_ >= ring_.capacity() / 8) roundOnTheWay();
  }
  void roundOnTheWay();
  static uint64_t lengthOf(const Frame& frame);
  bool begin(const Frame& frame, uint64_t length);
  bool take(const Frame& frame, std::byte* into);
  Outcome takeMessage(uint64_t room, std::byte* into, uint64_t& bytes);

  std::shared_ptr<Memory> memory_;
  const fabric::RegionKey key_;
  RingHead& head_;
  RingReader ring_;
  Frame shown_;                     // by peek()
  std::optional<uint64_t> length_;  // of the message that is being popped
  uint64_t popped_ = 0;             // bytes of it
  uint32_t idle_ = 0;               // looks that found nothing
  uint32_t inARow_ = 0;             // looks that found a frame, since one that did not
  uint64_t told_ = 0;               // released, as the writer knows
  bool ended_ = false;
  bool broken_ = false;

  std::optional<connect::NodeId> from_;  // whose writer it waits for; as it was when it was opened
  uint32_t turn_ = 0;  // of writers that it has waited for; under the lock of Openings
  std::atomic<uint64_t> signalled_{0};  // published, by the last signal
};

}  // namespace verbena::fifo
