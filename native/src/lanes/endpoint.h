// SPDX-License-Identifier: Apache-2.0
//
// A node whose links carry lanes. What the C interface hands out.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lanes/lane_source.h"
#include "node/node.h"
#include "streams/engine.h"
#include "verbs/selection.h"

namespace verbena::lanes {

using connect::LinkId;
using connect::NodeId;

struct EndpointOptions {
  verbs::Wishes device{};
  bool kernelOnly = false;  ///< softnic only if it is wished for by name
  streams::EngineOptions engine{};
  connect::ManagerOptions manager{};
  /// Services besides streams, of so many links; added before others find the node.
  uint32_t moreLinks = 0;
  std::function<base::Result<void>(node::Node&)> addMore{};
};

using node::News;

/// What one round brought.
struct Round {
  uint32_t arrivals = 0;
  bool news = false;
  bool work = false;
};

/// Rings may outlive it; services that were added have to.
class Endpoint {
 public:
  static base::Result<std::unique_ptr<Endpoint>> open(const EndpointOptions& options);

  streams::Engine& engine() { return *engine_; }
  connect::Manager& manager() { return node_->manager(); }
  node::Node& node() { return *node_; }
  const std::string& address() const { return address_; }
  const std::vector<std::string>& description() const { return description_; }

  /// See vbn_link_open_lane.
  base::Result<void> openLane(LinkId link, uint32_t lane,
                              const std::shared_ptr<streams::Ring>& ring, uint64_t from,
                              uint64_t boundary);
  /// See vbn_link_place_lane.
  void placeLane(LinkId link, uint32_t lane, uint64_t address, uint32_t key) {
    engine_->placeStream(link, lane + 1, address, key);
  }
  void closeLane(LinkId link, uint32_t lane);

  /// One round. Arrivals of the round before are given back.
  Round progress(std::span<streams::Arrival> arrivals);
  /// Of links of streams, and of the end of any. Any thread, like the next.
  std::optional<News> takeNews();
  /// Of links of other services, as far as takeNews() has come; the last ones.
  std::optional<News> takeOtherNews();

 private:
  Endpoint() = default;

  using LaneKey = std::pair<LinkId, uint32_t>;

  std::unique_ptr<streams::Engine> engine_;
  std::string address_;
  std::vector<std::string> description_;

  std::mutex newsLock_;
  std::deque<News> otherNews_;

  std::mutex lanesLock_;  // of the sources alone; never taken on the data path
  std::map<LaneKey, std::unique_ptr<LaneSource>> sources_;

  std::vector<uint32_t> received_;  // by who does rounds: to be given back in the next

  std::unique_ptr<node::Node> node_;  // last: it closes every link, which takes the engine
};

}  // namespace verbena::lanes
