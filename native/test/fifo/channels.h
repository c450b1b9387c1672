// SPDX-License-Identifier: Apache-2.0
//
// Nodes with channels, over softnic and real sessions.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../softnic/ends.h"
#include "../test_device.h"
#include "fabric/service.h"
#include "fifo/channels.h"
#include "fifo/reader.h"
#include "fifo/writer.h"
#include "node/node.h"

namespace verbena::fifo::testing {

using softnic::testing::Folders;
using softnic::testing::kPatience;
using softnic::testing::must;

enum class Way : uint8_t { shared, device };

/// Of a channel that is the only one.
inline constexpr uint16_t kNumber = 5;
inline constexpr uint64_t kCapacity = 1 << 14;

inline std::span<const std::byte> bytesOf(std::string_view text) {
  return std::as_bytes(std::span(text));
}
inline std::string textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool isReadable(int descriptor, std::chrono::nanoseconds patience = {});

/// How many files of this kind: "ring-", "bell-".
size_t filesIn(const std::string& folder, std::string_view kind);

struct Place {
  bool share = true;
  std::string folder{};
  std::chrono::nanoseconds spin = std::chrono::microseconds(20);
  std::chrono::milliseconds deadAfter{10'000};
  fabric::Service* besides = nullptr;  ///< another service of the node
  std::string key{};                   ///< the cluster's
  uint32_t workers = 1;
};

/// One process's node with channels.
class ChannelNode {
 public:
  ChannelNode(connect::NodeId id, const Place& place);

  void knows(const ChannelNode& other) { knows(other.id_, other.address()); }
  void knows(connect::NodeId peer, const std::string& address) {
    node_->manager().addPeer(peer, address);
  }
  connect::NodeId id() const { return id_; }
  std::string address() const { return node_->manager().address(); }
  node::Node& node() { return *node_; }
  Channels& channels(uint32_t worker = 0) { return *channels_[worker]; }

 private:
  const connect::NodeId id_;
  std::vector<std::unique_ptr<Channels>> channels_;
  std::unique_ptr<node::Node> node_;  // last: it goes first
};

/// Where a node listens, as another process is told.
using Listens = std::array<char, 64>;
Listens listens(const ChannelNode& node);

}  // namespace verbena::fifo::testing
