// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>

#include "fabric/domain.h"

namespace verbena::streams {

/// Registered memory of an outgoing stream. Freed when its owner has let go of it and no send uses
/// it any more.
class Ring {
 public:
  explicit Ring(fabric::Registered memory) : memory_(std::move(memory)) {}

  std::byte* start() const { return memory_.start(); }
  uint64_t bytes() const { return memory_.bytes(); }
  uint32_t lkey() const { return memory_.lkey(); }

 private:
  fabric::Registered memory_;
};

/// Says how far a stream's bytes are there.
class Source {
 public:
  virtual ~Source() = default;
  /// The end of the published bytes from `from` on, at most about `maxBytes` further. Called by one
  /// thread at a time, without a lock that a publisher holds; never blocks.
  virtual uint64_t publishedEnd(uint64_t from, uint64_t maxBytes) = 0;
  /// Bytes up to `end` are about to be handed to the device. Told by the same threads, before the
  /// far side can have any of them.
  virtual void posting(uint64_t /*end*/) {}
};

/// The source of a raw stream: whoever writes it publishes a position, then pumps.
class PublishedPosition : public Source {
 public:
  explicit PublishedPosition(uint64_t start = 0) : position_(start) {}

  void publish(uint64_t position) {
    // release pairs with publishedEnd(): the bytes are in the ring before they are sent
    position_.store(position, std::memory_order_release);
  }
  uint64_t publishedEnd(uint64_t, uint64_t) override {
    return position_.load(std::memory_order_acquire);
  }

 private:
  std::atomic<uint64_t> position_;
};

}  // namespace verbena::streams
