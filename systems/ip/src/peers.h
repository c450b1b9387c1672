// SPDX-License-Identifier: Apache-2.0
//
// The nodes of the network, from a file, and the state that is known of each.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "addresses.h"
#include "frame.h"

namespace verbena::ip {

/// Numbers of nodes: with kMostQueues of each they are numbers of channels.
inline constexpr uint32_t kMostNode = 1023;
inline constexpr uint32_t kMostQueues = 16;
inline constexpr size_t kMostPeers = 256;

/// Of a ring that this node reads, or writes to.
inline constexpr uint64_t kMostRing = uint64_t{64} << 20;

/// Of the channel by which a node's queue writes to any other node.
inline constexpr uint32_t channelOf(uint32_t writer, uint32_t queue) {
  return writer * kMostQueues + queue;
}

/// A file with a line for each node: its number and host:port. Empty lines and what follows '#' are
/// let pass. Throws Error with the line's number.
std::map<uint32_t, Endpoint> readPeers(const std::string& path);

/// Another node. Any thread asks for its state.
class Peer {
 public:
  Peer(uint32_t node, Endpoint endpoint)
      : node_(node), endpoint_(std::move(endpoint)), mac_(macOf(node)) {}

  uint32_t node() const { return node_; }
  const Endpoint& endpoint() const { return endpoint_; }
  const Mac& mac() const { return mac_; }

  bool isUp() const { return isUp_.load(std::memory_order_acquire); }
  uint32_t mtu() const { return mtu_.load(std::memory_order_relaxed); }
  /// How frames go there, or why they do not.
  std::string way() const;
  /// Why it was lost last, or what else went wrong with it; empty if nothing ever did.
  std::string lastTrouble() const;

  // --- by queues
  void up(const std::string& way);
  void away(const std::string& reason);
  void trouble(const std::string& what);
  void says(uint32_t mtu) { mtu_.store(mtu, std::memory_order_relaxed); }
  /// It wants this queue of its own to be read. False: that was left to its reader already, who has
  /// not answered yet.
  bool asks(uint32_t queue) { return (asked_.fetch_or(1U << queue) & 1U << queue) == 0; }
  void answered(uint32_t queue) { asked_.fetch_and(~(1U << queue)); }

 private:
  const uint32_t node_;
  const Endpoint endpoint_;
  const Mac mac_;
  std::atomic<bool> isUp_{false};
  std::atomic<uint32_t> mtu_{0};
  mutable std::mutex lock_;
  std::string way_ = "not tried yet";
  std::string lastTrouble_;
  std::atomic<uint32_t> asked_{0};  // bits of queues
};

}  // namespace verbena::ip
