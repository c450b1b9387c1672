// SPDX-License-Identifier: Apache-2.0
#include "whole_node.h"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

#include "world.h"

namespace verbena::connect::testing {
namespace {

lanes::EndpointOptions optionsFor(NodeId self) {
  lanes::EndpointOptions options;
  options.device.device = "softnic";
  options.engine.self = self;
  options.engine.maxConnections = 8;
  options.engine.bufferBytes = 1024;
  options.engine.receiveWorkRequests = 64;
  options.manager.self = self;
  std::random_device random;
  options.manager.incarnation = (uint64_t{random()} << 32 | random()) | 1;
  options.manager.listen = "127.0.0.1:0";
  options.manager.key = keyOf("a cluster key");
  return options;
}

}  // namespace

WholeNode::WholeNode(NodeId nodeId, const std::function<void(lanes::EndpointOptions&)>& change)
    : id(nodeId) {
  lanes::EndpointOptions options = optionsFor(nodeId);
  if (change) change(options);
  auto opened = lanes::Endpoint::open(options);
  if (!opened) throw std::runtime_error(opened.error().sentence());
  endpoint_ = std::move(*opened);
  rounds_ = std::jthread([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) round();
  });
}

void WholeNode::round() {
  streams::Arrival arrivals[16];
  lanes::Round round = endpoint_->progress(arrivals);
  {
    std::lock_guard held(lock_);
    for (uint32_t i = 0; i < round.arrivals; i++) {
      for (uint32_t piece = 0; piece < arrivals[i].pieceCount; piece++) {
        auto* start = reinterpret_cast<const char*>(arrivals[i].pieces[piece].start);
        heard_[arrivals[i].connection].append(start, arrivals[i].pieces[piece].bytes);
      }
    }
    while (auto one = endpoint_->takeNews()) news_.push_back(std::move(*one));
  }
  if (!round.work) std::this_thread::sleep_for(50us);
}

void WholeNode::close() {
  endRounds();
  endpoint_.reset();
}

void WholeNode::dial(WholeNode& other) {
  manager().addPeer(other.id, other.endpoint().address());
  auto link = manager().get(other.id, streams::kStreams, kPatience);
  ASSERT_TRUE(link) << link.error().sentence();
  ASSERT_TRUE(eventually([&] { return other.manager().find(id, streams::kStreams) != 0; }));
}

bool WholeNode::reaches(WholeNode& other) {
  LinkId here = manager().find(other.id, streams::kStreams);
  LinkId there = other.manager().find(id, streams::kStreams);
  std::string word = "from " + std::to_string(id) + " to " + std::to_string(other.id) + "; ";
  std::string before = other.heardFrom(there);
  if (endpoint_->engine().writeControl(here, std::as_bytes(std::span(word))) != word.size()) {
    return false;
  }
  endpoint_->engine().interest(here);
  return eventually([&] { return other.heardFrom(there) == before + word; });
}

std::string WholeNode::heardFrom(LinkId link) const {
  std::lock_guard held(lock_);
  auto found = heard_.find(link);
  return found == heard_.end() ? "" : found->second;
}

std::vector<lanes::News> WholeNode::news(lanes::News::Kind kind) const {
  std::lock_guard held(lock_);
  std::vector<lanes::News> found;
  for (const lanes::News& each : news_) {
    if (each.kind == kind) found.push_back(each);
  }
  return found;
}

}  // namespace verbena::connect::testing
