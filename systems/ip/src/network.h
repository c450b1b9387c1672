// SPDX-License-Identifier: Apache-2.0
//
// All of one node: the TAP, the fabric, the peers, and a queue for each worker.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
#include <verbena/channel.hpp>

#include "base/event_fd.h"
#include "peers.h"
#include "queue.h"
#include "tap.h"

namespace verbena::ip {

struct NetworkOptions {
  uint32_t node = 0;
  std::string peersFile{};
  std::string cluster{};
  std::string keyFile{};
  std::string device{};
  bool encryptionRequired = false;
  bool stopsWhenFull = true;
  uint64_t ringBytes = 1 << 20;
  TapOptions tap{};
};

class Network {
 public:
  /// Throws Error.
  explicit Network(NetworkOptions options);
  ~Network();

  void start();
  void stop();

  const NetworkOptions& options() const { return options_; }
  const Fabric& fabric() const { return *fabric_; }
  const Tap& tap() const { return *tap_; }
  Mac mac() const { return mac_; }
  /// In the order of their places.
  std::list<Peer>& peers() { return peers_; }
  /// The place of a node; -1: it is no peer.
  int placeOf(uint32_t node) const { return node <= kMostNode ? places_[node] : -1; }
  std::list<Queue>& queues() { return queues_; }
  Queue& queue(uint32_t number);
  bool isStopping() const { return stopping_.load(std::memory_order_relaxed); }
  /// Readable when the network stops, by itself or not.
  int stopDescriptor() const { return stop_.fd(); }
  /// Why it has stopped by itself; empty if it has not.
  std::string failure() const;

 private:
  void openFabric(const Endpoint& own);
  void failed(const std::string& reason);

  const NetworkOptions options_;
  const Mac mac_;
  std::list<Peer> peers_;
  std::vector<int> places_ = std::vector<int>(kMostNode + 1, -1);
  std::unique_ptr<Tap> tap_;
  std::unique_ptr<Fabric> fabric_;
  std::list<Queue> queues_;  // before the fabric they go
  base::WakeUp stop_;
  std::atomic<bool> stopping_{false};
  mutable std::mutex lock_;
  std::string failure_;  // under the lock
  std::vector<std::jthread> threads_;
};

}  // namespace verbena::ip
