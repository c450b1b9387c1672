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
        reader_(ChannelReader::from(fabric, peer.node(), channelOf(peer.node(), queue), ringBytes,
                                    worker)) {}

  Peer& peer() const { return peer_; }
  uint32_t queue() const { return queue_; }
  vbn_reader* reader() const { return reader_.get(); }

  /// Whether its writer is there. Nothing comes before, so it is looked at now and then alone: a
  /// look costs a round of the worker, and peers may be away by the hundred.
  void look() { isLinked_ = isLinked_ || vbn_reader_way(reader_.get(), nullptr, 0) >= 0; }
  /// Looks, and takes nothing.
  bool hasCome() {
    std::span<const std::byte> message;
    return isLinked_ && reader_.peek(message) != Outcome::wouldBlock;
  }

  enum class Found : uint8_t { nothing, something, theEnd };
  /// Some batches. `self`: whose frames enter. A message that is no batch is given to `word`.
  Found take(int tap, const Mac& self, Traffic& traffic,
             const std::function<void(std::span<const std::byte>)>& word);
  bool isDue() const { return isDue_; }
  std::string lostBecause() const { return reader_.lostBecause(); }

 private:
  /// Returns how many frames there were.
  size_t enter(std::span<const std::byte> message, int tap, const Mac& self, Traffic& traffic);
  Drop enterOne(std::span<const std::byte> entry, int tap, const Mac& self, Traffic& traffic);

  Peer& peer_;
  const uint32_t queue_;
  ChannelReader reader_;
  bool isLinked_ = false;
  bool isDue_ = false;  // a writer is not told of room yet
};

}  // namespace verbena::ip
