// SPDX-License-Identifier: Apache-2.0
//
// A whole node: manager and engine on a port of softnic, with a thread for its rounds. It says
// words on the control stream and remembers what it heard.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "lanes/endpoint.h"
#include "live_node.h"

namespace verbena::connect::testing {

class WholeNode {
 public:
  explicit WholeNode(NodeId id, const std::function<void(lanes::EndpointOptions&)>& change = {});

  lanes::Endpoint& endpoint() { return *endpoint_; }
  Manager& manager() { return endpoint_->manager(); }

  /// Nobody calls the endpoint by itself any more.
  void endRounds() { rounds_ = {}; }
  /// Ends its rounds, then its endpoint; nothing else may be asked of it.
  void close();
  /// Knows the other's address, and connects.
  void dial(WholeNode& other);
  /// Whether a word that is said to the other is heard there.
  bool reaches(WholeNode& other);

  std::string heardFrom(LinkId link) const;
  std::vector<lanes::News> news(lanes::News::Kind kind) const;

  const NodeId id;

 private:
  void round();

  std::unique_ptr<lanes::Endpoint> endpoint_;
  mutable std::mutex lock_;
  std::map<LinkId, std::string> heard_;
  std::vector<lanes::News> news_;
  std::jthread rounds_;  // last: ends first
};

}  // namespace verbena::connect::testing
