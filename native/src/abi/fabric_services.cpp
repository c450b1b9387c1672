// SPDX-License-Identifier: Apache-2.0
#include "abi/fabric_services.h"

#include <chrono>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

#include "abi/boundary.h"
#include "fabric/worker.h"

namespace verbena::abi {
namespace {

/// When this version of the ABI began.
constexpr size_t kFirstBytes = offsetof(vbn_fabric_options, channels);
constexpr uint32_t kLinks = 256;

uint32_t memoryLinksOf(const vbn_fabric_options& options) {
  return options.max_links != 0 ? options.max_links : kLinks;
}

/// Links of these services that have not ended.
std::set<connect::LinkId> linksOn(node::Node& node, const FabricServices& services) {
  std::set<connect::LinkId> live;
  node.worker().links().forEach([&](const fabric::Link& link) {
    bool isOurs = &link.service() == services.memory.get() ||
                  (services.channels && services.channels->has(link));
    if (isOurs && link.id() != 0) live.insert(link.id());
  });
  return live;
}

}  // namespace

vbn_fabric_options known(const vbn_fabric_options* given) {
  vbn_fabric_options options = takeIn(given, kFirstBytes, "vbn_fabric_options");
  if ((options.key == nullptr) != (options.key_bytes == 0)) {
    throw std::invalid_argument("a key has both a place and a length, or neither; its length is " +
                                std::to_string(options.key_bytes));
  }
  if (options.channels > UINT32_MAX - memoryLinksOf(options)) {
    throw std::invalid_argument("channels is " + std::to_string(options.channels));
  }
  return options;
}

uint32_t linksOf(const vbn_fabric_options& options) {
  return memoryLinksOf(options) + options.channels;
}

base::Result<FabricServices> addServices(node::Node& node, fabric::Owner owner,
                                         const vbn_fabric_options& options) {
  fabric::OneSidedOptions limits{.links = memoryLinksOf(options),
                                 .mapping = options.device_only == 0};
  if (options.signals != 0) limits.signals = options.signals;
  auto memory = fabric::OneSided::on(node.worker(), limits);
  if (!memory) return memory.error();
  FabricServices services{.owner = owner, .memory = std::move(*memory)};
  auto added = node.add(fabric::kOneSided.service, *services.memory, limits.links);
  if (!added) return added.error();
  if (options.channels == 0) return services;
  fifo::ChannelsOptions ends{
      .owner = owner, .channels = options.channels, .share = options.device_only == 0};
  if (options.sleeps_at_once != 0) ends.spin = ends.spin.zero();
  auto channels = fifo::Channels::on(node, ends);
  if (!channels) return channels.error();
  services.channels = std::move(*channels);
  return services;
}

void endServices(node::Node& node, const FabricServices& services) {
  constexpr std::chrono::seconds kPatience{1};
  constexpr std::chrono::microseconds kPause{100};
  const std::string reason =
      "the fabric of node " + std::to_string(services.owner.node) + " was closed";
  services.memory->retire();
  if (services.channels) services.channels->retire();
  node.manager().stop(fabric::kOneSided.service);
  node.manager().stop(fifo::kChannels);
  std::set<connect::LinkId> told;
  auto end = std::chrono::steady_clock::now() + kPatience;
  for (auto live = linksOn(node, services); !live.empty(); live = linksOn(node, services)) {
    for (connect::LinkId id : live) {
      if (told.insert(id).second) node.manager().close(id, reason);
    }
    if (std::chrono::steady_clock::now() >= end) return;
    if (node.worker().progress() == 0) std::this_thread::sleep_for(kPause);
  }
}

}  // namespace verbena::abi
