// SPDX-License-Identifier: Apache-2.0
#include "lanes/endpoint.h"

#include <cerrno>

#include "streams/options.h"

namespace verbena::lanes {

namespace {

/// That nobody has taken; of more the oldest are forgotten.
constexpr size_t kMostOtherNews = 4096;

fabric::WorkerOptions workerOptions(const EndpointOptions& options) {
  fabric::WorkerOptions worker = streams::workerOptions(options.engine);
  worker.maxLinks += options.moreLinks;
  return worker;
}

std::string megabytes(uint64_t bytes) {
  return std::to_string((bytes + (1 << 19)) >> 20) + " MiB";
}

}  // namespace

base::Result<std::unique_ptr<Endpoint>> Endpoint::open(const EndpointOptions& options) {
  auto node = node::Node::open({.device = options.device,
                                .kernelOnly = options.kernelOnly,
                                .worker = workerOptions(options),
                                .manager = options.manager});
  if (!node) return node.error();
  auto engine = streams::Engine::on((*node)->worker(), options.engine);
  if (!engine) return engine.error();
  std::unique_ptr<Endpoint> endpoint(new Endpoint());
  endpoint->engine_ = std::move(*engine);
  endpoint->node_ = std::move(*node);
  auto added = endpoint->node_->add(streams::kStreams.service, endpoint->engine_->service(),
                                    options.engine.maxConnections);
  if (!added) return added.error();
  if (options.addMore) {
    if (auto more = options.addMore(*endpoint->node_); !more) return more.error();
  }
  if (auto started = endpoint->node_->start(); !started) return started.error();
  endpoint->address_ = endpoint->manager().address();
  endpoint->description_ = endpoint->node_->reasons();
  streams::EngineMemory memory = endpoint->engine_->memory();
  endpoint->description_.push_back(
      "memory: " + megabytes(memory.receiveBuffers) + " for receive buffers to begin with, " +
      megabytes(memory.completionQueues) + " for completion queues, " +
      std::to_string(memory.perConnection >> 10) + " KiB for each connection");
  return endpoint;
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
  engine_->giveBack(received_);
  received_.clear();
  Round round;
  round.work = engine_->progress() > 0;
  round.arrivals = static_cast<uint32_t>(engine_->take(arrivals));
  for (const streams::Arrival& arrival : arrivals.first(round.arrivals)) {
    received_.push_back(arrival.receive);
  }
  round.news = node_->hasNews();
  return round;
}

/// Of a link that has gone it is not said what it was for.
std::optional<News> Endpoint::takeNews() {
  while (auto news = node_->takeNews()) {
    bool isOurs = news->kind == News::Kind::gone || news->name.service == streams::kStreams.service;
    if (isOurs) return news;
    {
      std::lock_guard guard(newsLock_);
      if (otherNews_.size() >= kMostOtherNews) otherNews_.pop_front();
      otherNews_.push_back(std::move(*news));
    }
    node_->worker().wake();
  }
  return std::nullopt;
}

std::optional<News> Endpoint::takeOtherNews() {
  std::lock_guard guard(newsLock_);
  if (otherNews_.empty()) return std::nullopt;
  News oldest = std::move(otherNews_.front());
  otherNews_.pop_front();
  return oldest;
}

}  // namespace verbena::lanes
