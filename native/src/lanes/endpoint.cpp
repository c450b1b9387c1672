// SPDX-License-Identifier: Apache-2.0
#include "lanes/endpoint.h"

#include <cerrno>
#include <chrono>
#include <thread>

#include "base/survive.h"
#include "devices/providers.h"
#include "verbs/survey.h"

namespace verbena::lanes {

namespace {

constexpr const char* kSoftnic = "softnic";

/// The devices that may be chosen: softnic is for those who ask for it, or have nothing else.
verbs::Survey surveyFor(const EndpointOptions& options) {
  std::vector<base::Result<const verbs::Provider*>> providers = devices::providers();
  bool byName = options.device.device.rfind(kSoftnic, 0) == 0;
  if (options.kernelOnly && !byName) {
    std::erase_if(providers, [](const auto& provider) {
      return provider.ok() && provider.value()->name == std::string(kSoftnic);
    });
  }
  return verbs::survey(providers);
}

std::string megabytes(uint64_t bytes) {
  return std::to_string((bytes + (1 << 19)) >> 20) + " MiB";
}

}  // namespace

base::Result<std::unique_ptr<Endpoint>> Endpoint::open(const EndpointOptions& options) {
  auto device = verbs::select(surveyFor(options), options.device);
  if (!device) return device.error();
  auto engine = streams::Engine::open(*device, options.engine);
  if (!engine) return engine.error();
  std::unique_ptr<Endpoint> endpoint(new Endpoint(std::move(*engine)));
  auto manager = connect::Manager::start(
      options.manager, *endpoint->engine_, *endpoint,
      [&](connect::Manager& started) { endpoint->engine_->report(started); });
  if (!manager) return manager.error();
  endpoint->manager_ = std::move(*manager);
  endpoint->address_ = endpoint->manager_->address();
  endpoint->description_ = device->reasons;
  streams::EngineMemory memory = endpoint->engine_->memory();
  endpoint->description_.push_back(
      "memory: " + megabytes(memory.receiveBuffers) + " for receive buffers, " +
      megabytes(memory.completionQueues) + " for completion queues, " +
      std::to_string(memory.perConnection >> 10) + " KiB for each connection");
  return endpoint;
}

/// A queue pair's end takes rounds, which nobody else does by now. No thread is started for them:
/// the system may have none to give, and here nobody could be told.
Endpoint::~Endpoint() {
  if (manager_ == nullptr) return;  // it was never open
  manager_->shutDown();
  while (!manager_->isShutDown()) {
    size_t done = 0;
    base::survive([&] { done = engine_->progress(); });
    if (done == 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

base::Result<void> Endpoint::openLane(LinkId link, uint32_t lane,
                                      const std::shared_ptr<streams::Ring>& ring, uint64_t from,
                                      uint64_t boundary) {
  uint64_t capacity = ring->bytes() - kRingOffset;
  auto source = std::make_unique<LaneSource>(ring->start(), capacity, boundary);
  LaneSource& used = *source;
  {
    std::lock_guard guard(lanesLock_);
    bool isNew = sources_.try_emplace({link, lane}, std::move(source)).second;
    if (!isNew) {
      return base::Error{"open lane " + std::to_string(lane), "link " + std::to_string(link),
                         EEXIST, "it is open; close it first"};
    }
  }
  used.posting(from);
  auto opened = engine_->openStream(link, lane + 1, ring, kRingOffset, capacity, used, from);
  if (!opened) closeLane(link, lane);
  return opened;
}

void Endpoint::closeLane(LinkId link, uint32_t lane) {
  engine_->closeStream(link, lane + 1);
  std::lock_guard guard(lanesLock_);
  sources_.erase({link, lane});
}

Round Endpoint::progress(std::span<streams::Arrival> arrivals) {
  for (uint32_t receive : received_) engine_->giveBack(receive);
  received_.clear();
  Round round;
  round.work = engine_->progress() > 0;
  round.arrivals = static_cast<uint32_t>(engine_->take(arrivals));
  for (const streams::Arrival& arrival : arrivals.first(round.arrivals)) {
    received_.push_back(arrival.receive);
  }
  round.news = hasNews_.load(std::memory_order_acquire);  // pairs with tell()
  return round;
}

std::optional<News> Endpoint::takeNews() {
  std::lock_guard guard(newsLock_);
  if (news_.empty()) return std::nullopt;
  News oldest = std::move(news_.front());
  news_.pop_front();
  hasNews_.store(!news_.empty(), std::memory_order_release);
  return oldest;
}

void Endpoint::up(const connect::LinkUp& link) {
  tell({.kind = News::Kind::up,
        .link = link.id,
        .peer = link.peer,
        .incarnation = link.incarnation,
        .dialled = link.dialled,
        .text = link.address});
}

void Endpoint::down(LinkId id, NodeId peer, connect::LinkName, const std::string& reason) {
  tell({.kind = News::Kind::down, .link = id, .peer = peer, .text = reason});
}

void Endpoint::gone(LinkId id, NodeId peer) {
  tell({.kind = News::Kind::gone, .link = id, .peer = peer});
}

void Endpoint::dialFailed(NodeId peer, connect::LinkName, connect::Refusal why,
                          const std::string& reason) {
  tell({.kind = News::Kind::dialFailed, .peer = peer, .refusal = why, .text = reason});
}

void Endpoint::tell(News news) {
  {
    std::lock_guard guard(newsLock_);
    news_.push_back(std::move(news));
    hasNews_.store(true, std::memory_order_release);  // before the wake-up: its round sees it
  }
  engine_->wake();
}

}  // namespace verbena::lanes
