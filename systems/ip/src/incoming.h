// SPDX-License-Identifier: Apache-2.0
//
// One peer's queue, as it is read here: batches of its ring are written to the TAP.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <verbena/channel.hpp>

#include "counters.h"
#include "peers.h"

namespace verbena::ip {

class Incoming {
 public:
  /// Throws Error.
  Incoming(const Fabric& fabric, Peer& peer, uint32_t queue, uint32_t worker, uint64_t ringBytes)
      : peer_(peer),
        queue_(queue),
        reader_(fabric, channelOf(peer.node(), queue), ringBytes, worker) {}

  Peer& peer() const { return peer_; }
  uint32_t queue() const { return queue_; }
  vbn_reader* reader() const { return reader_.get(); }

  /// Looks, and takes nothing.
  bool hasCome() {
    std::span<const std::byte> message;
    return reader_.peek(message) != Outcome::wouldBlock;
  }

  enum class Found : uint8_t { nothing, something, theEnd };
  /// Some batches, at most. `self`: whose frames enter. What is no batch is given to `word`.
  Found take(int tap, const Mac& self, Traffic& traffic,
             const std::function<void(std::span<const std::byte>)>& word);
  bool isPending() const { return isDue_; }
  std::string lostBecause() const { return reader_.lostBecause(); }

 private:
  void enter(std::span<const std::byte> message, int tap, const Mac& self, Traffic& traffic);
  Drop enterOne(std::span<const std::byte> entry, int tap, const Mac& self, Traffic& traffic);

  Peer& peer_;
  const uint32_t queue_;
  ChannelReader reader_;
  bool isDue_ = false;  // a writer is not told of room yet
};

}  // namespace verbena::ip
