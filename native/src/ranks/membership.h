// SPDX-License-Identifier: Apache-2.0
//
// A node of a rank: its number is the rank, and it knows where the nodes of all other ranks are.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "base/result.h"
#include "job/job.h"
#include "node/node.h"

namespace verbena::ranks {

/// "10.0.0.1:0", "[fe80::1]:0": where a node of this rank listens.
std::string listenAddress(const job::Place& place);

/// What a rank publishes has a line for each of its nodes: what it is, a blank, and where. Clients
/// in other languages have their own.
inline constexpr std::string_view kFabric = "fabric";
std::string lineFor(std::string_view kind, const std::string& address);
/// The address of that kind; none if there is none.
std::optional<std::string> addressIn(std::string_view published, std::string_view kind);

/// As long as it is there the node loses its links with a rank that has failed as soon as the job
/// says so, with that reason. A rank that has ended well takes leave itself, and what it has sent
/// may still be on its way.
class Membership {
 public:
  /// Publishes where the node is, waits until all ranks have, and tells the node where they are.
  static base::Result<std::unique_ptr<Membership>> join(std::shared_ptr<job::Job> job,
                                                        node::Node& node,
                                                        std::chrono::nanoseconds timeout);
  /// Before the node's end.
  ~Membership();
  Membership(const Membership&) = delete;
  Membership& operator=(const Membership&) = delete;

 private:
  Membership(std::shared_ptr<job::Job> job, node::Node& node) : job_(std::move(job)), node_(node) {}
  base::Result<void> addPeers(std::chrono::nanoseconds timeout);
  base::Result<void> startWatch();
  void watch();

  const std::shared_ptr<job::Job> job_;
  node::Node& node_;
  std::atomic<bool> stopped_{false};
  std::atomic<bool> isOver_{false};
  std::thread watch_;
};

}  // namespace verbena::ranks
