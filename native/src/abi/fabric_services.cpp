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
std::set<connect::LinkId> linksOn(const FabricServices& services) {
  std::set<connect::LinkId> live;
  for (const WorkerFace& face : services.faces) {
    face.worker->links().forEach([&](const fabric::Link& link) {
      bool isOurs =
          &link.service() == face.memory.get() || (face.channels && face.channels->has(link));
      if (isOurs && link.id() != 0) live.insert(link.id());
    });
  }
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
    throw std::invalid_argument("channels is " + std::to_string(options.channels) +
                                " and max_links " + std::to_string(memoryLinksOf(options)) +
                                "; together they may be " + std::to_string(UINT32_MAX));
  }
  return options;
}

fabric::OneSided& FabricServices::memoryOf(uint64_t link) const {
  for (size_t i = 1; i < faces.size(); i++) {
    if (faces[i].worker->links().find(link) != nullptr) return *faces[i].memory;
  }
  return *faces.front().memory;
}

uint32_t linksOf(const vbn_fabric_options& options) {
  return memoryLinksOf(options) + options.channels;
}

base::Result<FabricServices> addServices(node::Node& node, fabric::Owner owner,
                                         const vbn_fabric_options& options) {
  fabric::OneSidedOptions limits{.links = memoryLinksOf(options),
                                 .mapping = options.device_only == 0};
  if (options.signals != 0) limits.signals = options.signals;
  FabricServices services{.owner = owner, .faces = std::vector<WorkerFace>(node.workers())};
  for (uint32_t number = 0; number < node.workers(); number++) {
    WorkerFace& face = services.faces[number];
    face.worker = &node.worker(number);
    auto memory = fabric::OneSided::on(*face.worker, limits);
    if (!memory) return memory.error();
    face.memory = std::move(*memory);
    auto added = node.add(fabric::kOneSided.service, *face.memory, limits.links, number);
    if (!added) return added.error();
  }
  if (options.channels == 0) return services;
  fifo::ChannelsOptions ends{
      .owner = owner, .channels = options.channels, .share = options.device_only == 0};
  if (options.sleeps_at_once != 0) ends.spin = ends.spin.zero();
  auto channels = fifo::Channels::onEach(node, ends);
  if (!channels) return channels.error();
  for (uint32_t number = 0; number < node.workers(); number++) {
    services.faces[number].channels = std::move((*channels)[number]);
  }
  return services;
}

void endServices(node::Node& node, const FabricServices& services) {
  constexpr std::chrono::seconds kPatience{1};
  constexpr std::chrono::microseconds kPause{100};
  const std::string reason =
      "the fabric of node " + std::to_string(services.owner.node) + " was closed";
  for (const WorkerFace& face : services.faces) {
    face.memory->retire();
    if (face.channels) face.channels->retire();
  }
  node.manager().stop(fabric::kOneSided.service);
  node.manager().stop(fifo::kChannels);
  std::set<connect::LinkId> told;
  auto end = std::chrono::steady_clock::now() + kPatience;
  for (auto live = linksOn(services); !live.empty(); live = linksOn(services)) {
    for (connect::LinkId id : live) {
      if (told.insert(id).second) node.manager().close(id, reason);
    }
    if (std::chrono::steady_clock::now() >= end) return;
    size_t done = 0;
    for (const WorkerFace& face : services.faces) done += face.worker->progress();
    if (done == 0) std::this_thread::sleep_for(kPause);
  }
}

}  // namespace verbena::abi
