// SPDX-License-Identifier: Apache-2.0
#include "node/node.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include "base/survive.h"
#include "devices/providers.h"
#include "verbs/survey.h"

namespace verbena::node {
namespace {

using base::Error;
using base::Result;

constexpr const char* kSoftnic = "softnic";

/// The devices that may be chosen: softnic is for those who ask for it, or have nothing else.
verbs::Survey surveyFor(const NodeOptions& options) {
  std::vector<Result<const verbs::Provider*>> providers = devices::providers();
  bool byName = options.device.device.rfind(kSoftnic, 0) == 0;
  if (options.kernelOnly && !byName) {
    std::erase_if(providers, [](const auto& provider) {
      return provider.ok() && provider.value()->name == std::string(kSoftnic);
    });
  }
  return verbs::survey(providers, {.listen = options.device.listen, .key = options.manager.key});
}

}  // namespace

Result<std::unique_ptr<Node>> Node::open(const NodeOptions& options) {
  if (options.workers == 0 || options.workers > kMostWorkers) {
    return Error{"open a node", "", EINVAL,
                 "workers is " + std::to_string(options.workers) + "; 1 to " +
                     std::to_string(kMostWorkers) + " is possible"};
  }
  auto device = verbs::select(surveyFor(options), options.device);
  if (!device) return device.error();
  auto domain = fabric::Domain::open(*device);
  if (!domain) return domain.error();
  std::vector<std::unique_ptr<fabric::Worker>> workers;
  fabric::WorkerOptions each = options.worker;
  for (each.vector = 0; each.vector < options.workers; each.vector++) {
    auto worker = fabric::Worker::open(*domain, each);
    if (!worker) return worker.error();
    workers.push_back(std::move(*worker));
  }
  return std::unique_ptr<Node>(new Node(options, device->reasons, std::move(workers)));
}

Node::Node(const NodeOptions& options, std::vector<std::string> reasons,
           std::vector<std::unique_ptr<fabric::Worker>> workers)
    : options_(options), reasons_(std::move(reasons)), workers_(std::move(workers)) {
  if (workers_.size() == 1) return;
  for (const auto& worker : workers_) worker->joinOthers(workers_);
}

/// A queue pair's end takes rounds, which nobody else does by now. No thread is started for them:
/// the system may have none to give, and here nobody could be told.
Node::~Node() {
  if (manager_ == nullptr) return;  // it was never started
  manager_->shutDown();
  while (!manager_->isShutDown()) {
    size_t done = 0;
    for (const auto& worker : workers_) {
      base::survive([&] { done += worker->progress(); });
    }
    if (done == 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

Result<void> Node::add(uint16_t number, fabric::Service& service, uint32_t links, uint32_t worker) {
  std::vector<Face> faces;
  if (auto found = services_.find(number); found != services_.end()) faces = found->second;
  bool taken = std::any_of(faces.begin(), faces.end(),
                           [&](const Face& face) { return face.worker == workers_[worker].get(); });
  if (number == 0 || taken) {
    return Error{"add service " + std::to_string(number), "", EINVAL,
                 "0 is none, and each number is one service's on each worker"};
  }
  if (Result<void> added = workers_[worker]->add(service, links); !added) return added;
  faces.push_back({&service, workers_[worker].get()});
  services_[number] = std::move(faces);
  return {};
}

Result<void> Node::start() {
  auto started = connect::Manager::start(options_.manager, *this, *this, [&](connect::Manager& to) {
    for (const auto& worker : workers_) worker->report(to);
  });
  if (!started) return started.error();
  manager_ = std::move(*started);
  return {};
}

// ------------------------------------------------------------------ what the manager wants

Result<connect::LinkEnd> Node::create(const connect::NewLink& link) {
  if (std::span<const Face> faces = facesOf(link.name); !faces.empty()) {
    auto count = static_cast<uint32_t>(faces.size());
    const Face& face = faces[faces.front().service->faceFor(link, count)];
    return face.worker->create(*face.service, link);
  }
  return Error{"create link " + std::to_string(link.name.service) + "." +
                   std::to_string(link.name.rail) + " with node " + std::to_string(link.peer),
               "", EPROTO, "nothing here speaks for it"};
}

/// None if there is no such service.
std::span<const Node::Face> Node::facesOf(connect::LinkName name) const {
  auto found = services_.find(name.service);
  return found == services_.end() ? std::span<const Face>() : found->second;
}

/// Any of them where the link is not there any more: each finds that out.
fabric::Worker& Node::workerOf(connect::LinkId id) const {
  for (const auto& worker : workers_) {
    if (worker->links().find(id) != nullptr) return *worker;
  }
  return *workers_.front();
}

Result<void> Node::connect(connect::LinkId id, const connect::LinkEnd& far) {
  return workerOf(id).connect(id, far);
}

void Node::ready(connect::LinkId id) {
  workerOf(id).ready(id);
}

void Node::close(connect::LinkId id, const std::string&) {
  workerOf(id).close(id);
}

void Node::destroy(connect::LinkId id) {
  workerOf(id).destroy(id);
}

std::chrono::nanoseconds Node::watch(std::chrono::nanoseconds now) {
  std::chrono::nanoseconds next = kNoHurry;
  for (const auto& worker : workers_) next = std::min(next, worker->watch(now));
  return next;
}

// ------------------------------------------------------------------ news

std::optional<News> Node::takeNews() {
  std::lock_guard guard(newsLock_);
  if (news_.empty()) return std::nullopt;
  News oldest = std::move(news_.front());
  news_.pop_front();
  hasNews_.store(!news_.empty(), std::memory_order_release);
  return oldest;
}

void Node::up(const connect::LinkUp& link) {
  tell({.kind = News::Kind::up,
        .link = link.id,
        .peer = link.peer,
        .name = link.name,
        .incarnation = link.incarnation,
        .dialled = link.dialled,
        .text = link.address});
}

void Node::down(connect::LinkId id, connect::NodeId peer, connect::LinkName name,
                const std::string& reason) {
  for (const Face& face : facesOf(name)) face.service->down(id, reason);
  tell({.kind = News::Kind::down, .link = id, .peer = peer, .name = name, .text = reason});
}

void Node::notUp(connect::LinkId id, connect::LinkName name, const std::string& reason) {
  for (const Face& face : facesOf(name)) face.service->notUp(id, reason);
}

void Node::gone(connect::LinkId id, connect::NodeId peer) {
  tell({.kind = News::Kind::gone, .link = id, .peer = peer});
}

void Node::dialFailed(connect::NodeId peer, connect::LinkName name, connect::Refusal why,
                      const std::string& reason) {
  tell(
      {.kind = News::Kind::dialFailed, .peer = peer, .name = name, .refusal = why, .text = reason});
}

void Node::tell(News news) {
  {
    std::lock_guard guard(newsLock_);
    if (news_.size() >= options_.mostNews) news_.pop_front();
    news_.push_back(std::move(news));
    hasNews_.store(true, std::memory_order_release);  // before the wake-up: its round sees it
  }
  for (const auto& worker : workers_) worker->wake();
}

}  // namespace verbena::node
