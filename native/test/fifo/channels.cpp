// SPDX-License-Identifier: Apache-2.0
#include "channels.h"

#include <poll.h>

#include <algorithm>
#include <random>

#include "host/private_folder.h"

namespace verbena::fifo::testing {

bool isReadable(int descriptor, std::chrono::nanoseconds patience) {
  pollfd waits{descriptor, POLLIN, 0};
  auto most = std::chrono::duration_cast<std::chrono::milliseconds>(patience);
  return poll(&waits, 1, static_cast<int>(most.count())) == 1;
}

size_t filesIn(const std::string& folder, std::string_view kind) {
  return static_cast<size_t>(std::ranges::count_if(
      host::namesIn(folder), [&](const std::string& name) { return name.starts_with(kind); }));
}

ChannelNode::ChannelNode(connect::NodeId id, const Place& place) : id_(id) {
  node::NodeOptions options;
  options.device.device = testDevice();
  options.worker = {.maxLinks = 160};
  options.workers = place.workers;
  options.manager.self = id;
  options.manager.incarnation = std::random_device()();
  options.manager.listen = "127.0.0.1:0";
  options.manager.deadAfter = place.deadAfter;
  auto key = bytesOf(place.key);
  options.manager.key.assign(key.begin(), key.end());
  node_ = must(node::Node::open(options));
  channels_ = must(Channels::onEach(*node_, {.owner = {id, options.manager.incarnation},
                                             .channels = 160,
                                             .share = place.share,
                                             .folder = place.folder,
                                             .spin = place.spin}));
  constexpr uint16_t kBesides = 77;
  if (place.besides != nullptr) must(node_->add(kBesides, *place.besides, 0));
  must(node_->start());
}

Listens listens(const ChannelNode& node) {
  Listens text{};
  node.address().copy(text.data(), text.size() - 1);
  return text;
}

}  // namespace verbena::fifo::testing
