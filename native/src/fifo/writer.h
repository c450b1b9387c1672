// SPDX-License-Identifier: Apache-2.0
//
// The writing end of a channel: it writes into the reader's ring where they share its memory, and
// else into one of its own, which the device copies there.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>

#include "fabric/region.h"
#include "fifo/channels.h"
#include "fifo/end.h"
#include "fifo/ring.h"
#include "fifo/ring_file.h"
#include "fifo/words.h"

namespace verbena::fifo {

/// A message that is being written. It may take several calls.
struct Pushing {
  std::span<const std::byte> from;
  uint64_t bytes = 0;  ///< that have been written
  bool begun = false;  ///< by pieces
};

class Writer final : public End {
 public:
  /// Without close() the reader is told that the writer is lost.
  ~Writer() override;

  /// The largest message that lies in the ring as a whole.
  uint64_t mostInPlace() const { return fifo::mostInPlace(capacity_); }
  /// Where a message of so many bytes may be written; publish() follows, or another claim, which
  /// takes its place. wouldBlock: the ring is full, or the device has as many requests as it takes.
  /// tooLarge: it is more than mostInPlace().
  Outcome claim(uint64_t bytes, std::byte*& at) {
    if (writesShared() && bytes <= mostInPlace()) {
      at = ring_->claim(bytes);
      if (at != nullptr) {
        claimed_ = bytes;
        return Outcome::done;
      }
    }
    return claimSlowly(bytes, at);
  }
  Outcome claim(uint64_t bytes, std::byte*& at, std::chrono::nanoseconds timeout);
  /// So many bytes of what was claimed are a message. Where memory is shared the reader has it; by
  /// the device it is on its way. If the device does not take it at once, though claim() has found
  /// room, or the link of a connection that was just accepted is not up on this side yet, this
  /// waits until it does or the link ends. Throws std::invalid_argument if there are more than are
  /// claimed.
  void publish(uint64_t bytes) {
    check(bytes);
    publishFrame(Kind::whole, bytes);
  }
  /// As publish(), and never waits. wouldBlock: it is a message, too, and the device does not take
  /// all of it yet: nudge() goes on.
  Outcome tryPublish(uint64_t bytes);
  /// Behind a batch: hands to the device what it has not taken yet, and wakes a reader that sleeps,
  /// also one that fell asleep in the moment of a publish. wouldBlock: the device has no room, and
  /// what makes some ends waits of the worker; call it again then.
  Outcome nudge();
  /// Waits until what was published is in the reader's memory.
  Outcome flush(std::chrono::nanoseconds timeout);

  /// Copies a message of any size. wouldBlock: not all of it had room; call again with the same.
  Outcome push(Pushing& message);
  Outcome push(Pushing& message, std::chrono::nanoseconds timeout);
  /// wouldBlock: a part may be written, behind which nothing else makes sense any more.
  Outcome push(std::span<const std::byte> message, std::chrono::nanoseconds timeout);

  /// Ends the stream: the reader reads all there is, and that it has ended. lost, wouldBlock: it is
  /// not known whether the reader has got it.
  Outcome close(std::chrono::nanoseconds timeout);

  /// Up to where the reader has released what was written, as far as that is known here: exactly,
  /// where the ring is shared. In bytes of the ring since it began, as published().
  uint64_t released();
  uint64_t published() const { return ring_->published(); }
  /// Where messages are claimed.
  std::span<const std::byte> ring() const { return ring_->data(); }
  bool isShared() const override { return file_.has_value(); }

 private:
  friend class Channels;
  friend class Connections;
  friend class Opening;

  Writer(Channels& all, connect::NodeId reader, uint16_t number)
      : End(all, number), reader_(reader) {}
  /// The link is up.
  base::Result<void> begin();

  std::vector<std::byte> words() const override { return RingWords::ofWriter(); }
  base::Result<void> hear(const connect::NewLink& link, std::span<const std::byte> words) override;
  void signalled(uint32_t value) override;
  void completed(bool done) override;

  void aboutToSleep() override;
  void awake() override;
  uint64_t farBellName() const override { return file_->head().readerBell; }

  /// Nothing stands against it but, perhaps, that there is no room.
  bool writesShared() const { return file_ && phase() == Phase::linked && !closed_ && !broken_; }
  Outcome claimSlowly(uint64_t bytes, std::byte*& at);
  void check(uint64_t bytes) const {
    if (!claimed_ || bytes > *claimed_) refuse(bytes);
  }
  [[noreturn]] void refuse(uint64_t bytes) const;
  void publishFrame(Kind kind, uint64_t bytes) {
    enter(kind, bytes);
    if (!file_) sendPublished();
  }
  /// Into the ring: a reader that shares it has it.
  void enter(Kind kind, uint64_t bytes) {
    claimed_.reset();
    ring_->publish(kind, static_cast<uint32_t>(bytes));
    if (file_) wake(file_->head().readerSleeps);
  }
  /// What those say that hand over to the device.
  Outcome handedOver(bool all);
  void sendPublished();
  bool deviceHasRoom();
  bool reclaim();
  uint64_t reusableByDevice();
  uint64_t pieceBytes() const;
  Outcome copyFrame(Kind kind, std::span<const std::byte> bytes, Pushing& message);
  /// Posts what is published and not posted yet; false if something is left.
  bool postDue();
  bool post(uint64_t end, bool tells);
  bool postTelling(uint64_t end);
  bool tellInMemory();
  bool postOne(const fabric::Request& request);
  uint64_t tailBytes() const;
  bool isFlushed();
  Outcome flushed();

  const connect::NodeId reader_;
  RingWords ringOf_;  // what the reader has said
  uint64_t capacity_ = 0;
  uint64_t mostCapacity_ = kMostCapacity;  // that the reader may say
  std::optional<RingWriter> ring_;
  std::optional<RingFile> file_;            // shared
  std::shared_ptr<fabric::Region> staged_;  // not shared: the tail, then the ring's bytes
  std::optional<uint64_t> claimed_;
  uint32_t idle_ = 0;  // looks that found no room
  bool closed_ = false;
  bool broken_ = false;

  // of what goes by the device
  uint64_t posted_ = 0;
  uint64_t told_ = 0;              // published, as the reader has been told
  std::deque<uint64_t> underWay_;  // where each posted operation ends
  uint64_t seen_ = 0;              // completions
  uint64_t done_ = 0;              // up to where operations are done
  uint64_t tails_ = 0;             // positions that were put into the reader's page
  bool toldSilently_ = false;      // the last one so: a reader that sleeps has not heard of it
  std::atomic<uint64_t> completions_{0};
  std::atomic<bool> failed_{false};     // an operation may not have happened
  std::atomic<uint64_t> signalled_{0};  // released, by the last signal
};

}  // namespace verbena::fifo
