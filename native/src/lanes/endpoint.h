// SPDX-License-Identifier: Apache-2.0
//
// One node's end of its links, put together: a device, the engine that drives it and the
// manager that connects it. What the C interface hands out.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "connect/manager.h"
#include "lanes/lane_source.h"
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
};

struct News {
  enum class Kind : uint8_t { up, down, dialFailed, gone };
  Kind kind;
  LinkId link = 0;
  NodeId peer = 0;
  uint64_t incarnation = 0;
  bool dialled = false;
  connect::Refusal refusal = connect::Refusal::none;
  std::string text{};  ///< the far side's address, or the reason
};

/// What one round brought.
struct Round {
  uint32_t arrivals = 0;
  bool news = false;
  bool work = false;
};

class Endpoint final : connect::Observer {
 public:
  static base::Result<std::unique_ptr<Endpoint>> open(const EndpointOptions& options);
  /// Closes every link; rings may outlive it.
  ~Endpoint();

  streams::Engine& engine() { return *engine_; }
  connect::Manager& manager() { return *manager_; }
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
  std::optional<News> takeNews();

 private:
  explicit Endpoint(std::unique_ptr<streams::Engine> engine) : engine_(std::move(engine)) {}

  void up(const connect::LinkUp& link) override;
  void down(LinkId id, NodeId peer, connect::LinkName name, const std::string& reason) override;
  void gone(LinkId id, NodeId peer) override;
  void dialFailed(NodeId peer, connect::LinkName name, connect::Refusal why,
                  const std::string& reason) override;
  void tell(News news);

  using LaneKey = std::pair<LinkId, uint32_t>;

  std::unique_ptr<streams::Engine> engine_;
  std::string address_;
  std::vector<std::string> description_;

  std::mutex newsLock_;
  std::deque<News> news_;
  std::atomic<bool> hasNews_{false};

  std::mutex lanesLock_;  // of the sources alone; never taken on the data path
  std::map<LaneKey, std::unique_ptr<LaneSource>> sources_;

  std::vector<uint32_t> received_;  // by who does rounds: to be given back in the next

  std::unique_ptr<connect::Manager>
      manager_;  // last: ends first, and calls the observer until then
};

}  // namespace verbena::lanes
