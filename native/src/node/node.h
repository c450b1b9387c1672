// SPDX-License-Identifier: Apache-2.0
//
// One process's end of all its links: a device, the workers that drive it, the manager that makes
// links with other nodes, and the services that use them. What every service is opened on.
//
// Several workers are for several threads: each has completion queues and a waiter of its own, and
// services that are on more than one have a face on each. Which worker drives a link the service
// says: that of one-sided memory by the rail, counted round, so that both ends know it.
//
// A node is opened, gets its services, and is started: links that others offer find their service.
#pragma once

#include <atomic>
#include <cstddef>
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
#include "fabric/worker.h"
#include "verbs/selection.h"

namespace verbena::node {

struct NodeOptions {
  verbs::Wishes device{};
  bool kernelOnly = false;         ///< softnic only if it is wished for by name
  fabric::WorkerOptions worker{};  ///< of each
  uint32_t workers = 1;            ///< at most kMostWorkers
  connect::ManagerOptions manager{};
  size_t mostNews = SIZE_MAX;  ///< that nobody has taken; of more the oldest are forgotten
};

struct News {
  enum class Kind : uint8_t { up, down, dialFailed, gone };
  Kind kind;
  connect::LinkId link = 0;
  connect::NodeId peer = 0;
  connect::LinkName name{};  ///< not of `gone`
  uint64_t incarnation = 0;
  bool dialled = false;
  connect::Refusal refusal = connect::Refusal::none;
  std::string text{};  ///< the far side's address, or the reason
};

inline constexpr uint32_t kMostWorkers = 16;

class Node final : connect::LinkOwner, connect::Observer {
 public:
  /// The device that is chosen, and workers on it.
  static base::Result<std::unique_ptr<Node>> open(const NodeOptions& options);
  /// Closes every link. Services have to be there until then, and may go afterwards.
  ~Node() override;

  /// Links whose names have this number are the service's; it gets so many places. A service on
  /// several workers adds its faces one by one, and says which of them a link is for
  /// (Service::faceFor). Before start().
  base::Result<void> add(uint16_t number, fabric::Service& service, uint32_t links,
                         uint32_t worker = 0);
  /// From here on others find this node.
  base::Result<void> start();

  fabric::Worker& worker(uint32_t number = 0) { return *workers_[number]; }
  uint32_t workers() const { return static_cast<uint32_t>(workers_.size()); }
  connect::Manager& manager() { return *manager_; }
  /// Why this device, port and address were chosen, a line each.
  const std::vector<std::string>& reasons() const { return reasons_; }

  /// What has happened to links, in order. Any thread; all workers are woken for it.
  std::optional<News> takeNews();
  bool hasNews() const { return hasNews_.load(std::memory_order_acquire); }  // pairs with tell()

 private:
  Node(const NodeOptions& options, std::vector<std::string> reasons,
       std::vector<std::unique_ptr<fabric::Worker>> workers);

  // connect::LinkOwner
  base::Result<connect::LinkEnd> create(const connect::NewLink& link) override;
  base::Result<void> connect(connect::LinkId id, const connect::LinkEnd& far) override;
  void ready(connect::LinkId id) override;
  void close(connect::LinkId id, const std::string& reason) override;
  void destroy(connect::LinkId id) override;
  std::chrono::nanoseconds watch(std::chrono::nanoseconds now) override;
  // connect::Observer
  void up(const connect::LinkUp& link) override;
  void down(connect::LinkId id, connect::NodeId peer, connect::LinkName name,
            const std::string& reason) override;
  void notUp(connect::LinkId id, connect::LinkName name, const std::string& reason) override;
  void gone(connect::LinkId id, connect::NodeId peer) override;
  void dialFailed(connect::NodeId peer, connect::LinkName name, connect::Refusal why,
                  const std::string& reason) override;
  void tell(News news);

  const NodeOptions options_;
  /// A service on one worker.
  struct Face {
    fabric::Service* service;
    fabric::Worker* worker;
  };
  std::span<const Face> facesOf(connect::LinkName name) const;
  fabric::Worker& workerOf(connect::LinkId id) const;

  const std::vector<std::string> reasons_;
  const std::vector<std::unique_ptr<fabric::Worker>> workers_;
  // By number; as it was when the node started.
  std::map<uint16_t, std::vector<Face>> services_;

  std::mutex newsLock_;
  std::deque<News> news_;
  std::atomic<bool> hasNews_{false};

  std::unique_ptr<connect::Manager> manager_;  // last: ends first, and calls this until then
};

}  // namespace verbena::node
