// SPDX-License-Identifier: Apache-2.0
//
// Nodes with one-sided memory, and their links.
#include <chrono>
#include <cstddef>
#include <memory>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "abi/fabric_handles.h"
#include "abi/numbers.h"
#include "abi/wishes.h"
#include "fabric/domain.h"
#include "lanes/endpoint.h"

using namespace verbena;
using abi::givenId;
using abi::inside;
using abi::nanoseconds;
using abi::nodeId;
using abi::quietly;

namespace {

constexpr size_t kMostNews = 4096;

uint64_t randomIncarnation() {
  std::random_device source;
  uint64_t number = 0;
  while (number == 0) number = uint64_t{source()} << 32 | source();
  return number;
}

connect::NodeId anyNode() {
  std::random_device source;
  std::uniform_int_distribution<connect::NodeId> ids(connect::kMostGiven + 1, connect::kMostNode);
  return ids(source);
}

connect::LinkName nameOf(uint32_t rail) {
  if (rail <= UINT16_MAX) return {fabric::kOneSided.service, static_cast<uint16_t>(rail)};
  throw std::invalid_argument("the rail is " + std::to_string(rail) + "; it may be 0 to " +
                              std::to_string(UINT16_MAX));
}

template <typename T>
void setUnlessZero(T& option, T given) {
  if (given != 0) option = given;
}

node::NodeOptions toNodeOptions(const vbn_fabric_options& given) {
  node::NodeOptions options;
  options.mostNews = kMostNews;
  options.device = abi::toWishes(given.device);
  options.kernelOnly = given.kernel_only != 0;
  setUnlessZero(options.workers, given.workers);
  options.worker.maxLinks = abi::linksOf(given);
  setUnlessZero(options.worker.sendWorkRequests, given.operations);
  connect::ManagerOptions& manager = options.manager;
  manager.self = given.node_id == VBN_ANY_NODE ? anyNode() : givenId(given.node_id);
  manager.incarnation = given.incarnation != 0 ? given.incarnation : randomIncarnation();
  if (given.cluster != nullptr) manager.cluster = given.cluster;
  if (given.key != nullptr) {
    const auto* key = reinterpret_cast<const std::byte*>(given.key);
    manager.key.assign(key, key + given.key_bytes);
  }
  if (given.listen != nullptr) manager.listen = given.listen;
  if (given.heartbeat_ns != 0) manager.heartbeat = nanoseconds(given.heartbeat_ns);
  if (given.dead_after_ns != 0) manager.deadAfter = nanoseconds(given.dead_after_ns);
  return options;
}

vbn_link_counters toC(const fabric::LinkCounts& counts) {
  vbn_link_counters out{};
  out.peer = counts.peer;
  out.relinks = counts.relinks;
  out.puts = counts.puts;
  out.gets = counts.gets;
  out.atomics = counts.atomics;
  out.flushes = counts.flushes;
  out.signals = counts.signals;
  out.put_bytes = counts.putBytes;
  out.got_bytes = counts.gotBytes;
  out.by_mapping = counts.byMapping;
  out.by_device = counts.byDevice;
  out.no_room = counts.noRoom;
  out.refused = counts.refused;
  out.failed = counts.failed;
  return out;
}

}  // namespace

base::Result<std::unique_ptr<vbn_fabric>> abi::openFabric(const vbn_fabric_options& given) {
  node::NodeOptions options = toNodeOptions(given);
  auto node = node::Node::open(options);
  if (!node) return node.error();
  auto services =
      abi::addServices(**node, {options.manager.self, options.manager.incarnation}, given);
  if (!services) return services.error();
  auto opened = std::make_unique<vbn_fabric>(vbn_fabric{.services = std::move(*services)});
  opened->own = std::move(*node);
  opened->node = opened->own.get();
  if (auto started = opened->node->start(); !started) return started.error();
  opened->address = opened->node->manager().address();
  return opened;
}

// ------------------------------------------------------------------ nodes

vbn_status vbn_fabric_open(const vbn_fabric_options* given, vbn_fabric** opened) noexcept {
  return abi::guarded([&]() -> vbn_status {
    abi::need(opened, "the place for the fabric");
    auto fabric = abi::openFabric(abi::known(given));
    if (!fabric) return abi::refuse(fabric.error());
    *opened = fabric->release();
    return VBN_OK;
  });
}

void vbn_fabric_close(vbn_fabric* fabric) noexcept {
  quietly([&] {
    std::unique_ptr<vbn_fabric> closed(fabric);
    if (closed == nullptr) return;
    closed->dependents->endAll();
    bool isAttached = closed->own == nullptr;
    if (isAttached) abi::endServices(*closed->node, closed->services);
  });
}

void vbn_fabric_stop(vbn_fabric* fabric) noexcept {
  quietly([&] {
    inside(fabric).manager().stop(fabric::kOneSided.service);
    inside(fabric).manager().stop(fifo::kChannels);
  });
}

const char* vbn_fabric_address(const vbn_fabric* fabric) noexcept {
  const char* text = nullptr;
  quietly([&] { text = abi::need(fabric, "the fabric").address.c_str(); });
  return text;
}

const char* vbn_fabric_describe(const vbn_fabric* fabric, uint32_t number) noexcept {
  const char* text = nullptr;
  quietly([&] {
    const auto& lines = inside(fabric).reasons();
    if (number < lines.size()) text = lines[number].c_str();
  });
  return text;
}

uint32_t vbn_fabric_atomics(const vbn_fabric* fabric) noexcept {
  uint32_t found = VBN_ATOMICS_NONE;
  quietly([&] {
    const fabric::Domain& domain = abi::workerOf(fabric, 0).worker->domain();
    if (domain.hasAtomics()) {
      found = domain.hasCoherentAtomics() ? VBN_ATOMICS_OF_PROCESSORS : VBN_ATOMICS_OF_DEVICE;
    }
  });
  return found;
}

// ------------------------------------------------------------------ links

vbn_status vbn_fabric_add_peer(vbn_fabric* fabric, uint32_t peer, const char* address) noexcept {
  return abi::guarded([&] {
    abi::need(address, "the address");
    inside(fabric).manager().addPeer(nodeId(peer), address);
    return VBN_OK;
  });
}

vbn_status vbn_fabric_remove_peer(vbn_fabric* fabric, uint32_t peer) noexcept {
  return abi::guarded([&] {
    inside(fabric).manager().removePeer(nodeId(peer));
    return VBN_OK;
  });
}

vbn_status vbn_fabric_give_up(vbn_fabric* fabric, uint32_t peer, const char* reason) noexcept {
  return abi::guarded([&] {
    inside(fabric).manager().removePeer(nodeId(peer), &abi::need(reason, "the reason"));
    return VBN_OK;
  });
}

vbn_status vbn_fabric_link(vbn_fabric* fabric, uint32_t peer, uint64_t timeout_ns,
                           uint64_t* link) noexcept {
  return vbn_worker_link(fabric, 0, peer, timeout_ns, link);
}

vbn_status vbn_worker_link(vbn_fabric* fabric, uint32_t rail, uint32_t peer, uint64_t timeout_ns,
                           uint64_t* link) noexcept {
  return abi::guarded([&]() -> vbn_status {
    abi::need(link, "the place for the link");
    node::Node& node = inside(fabric);
    uint32_t worker = rail % node.workers();
    auto found = node.manager().get(nodeId(peer), nameOf(rail), nanoseconds(timeout_ns),
                                    [&] { fabric->drive(worker); });
    if (!found) return abi::refuse(found.error());
    *link = *found;
    return VBN_OK;
  });
}

uint64_t vbn_fabric_find(const vbn_fabric* fabric, uint32_t peer) noexcept {
  return vbn_worker_find(fabric, 0, peer);
}

uint64_t vbn_worker_find(const vbn_fabric* fabric, uint32_t rail, uint32_t peer) noexcept {
  uint64_t link = 0;
  quietly([&] { link = inside(fabric).manager().find(nodeId(peer), nameOf(rail)); });
  return link;
}

vbn_status vbn_fabric_dial(vbn_fabric* fabric, uint32_t peer, uint64_t timeout_ns) noexcept {
  return abi::guarded([&] {
    inside(fabric).manager().dial(nodeId(peer), fabric::kOneSided, nanoseconds(timeout_ns));
    return VBN_OK;
  });
}

void vbn_fabric_unlink(vbn_fabric* fabric, uint64_t link, const char* reason) noexcept {
  quietly([&] { inside(fabric).manager().close(link, reason == nullptr ? "" : reason); });
}

int32_t vbn_fabric_news(vbn_fabric* fabric, vbn_news* target) noexcept {
  int32_t found = -1;
  quietly([&] {
    node::Node& from = inside(fabric);
    abi::need(target, "the place for the news");
    abi::checkSize(target, abi::kFirstNewsBytes, "vbn_news");  // before it is taken
    auto news = fabric->endpoint == nullptr ? from.takeNews() : fabric->endpoint->takeOtherNews();
    found = news ? 1 : 0;
    if (news) abi::handOut(abi::toC(*news), target, "vbn_news");
  });
  return found;
}

vbn_status vbn_fabric_link_counters(const vbn_fabric* fabric, uint64_t link,
                                    vbn_link_counters* target) noexcept {
  return abi::guarded([&]() -> vbn_status {
    auto counts = abi::need(fabric, "the fabric").services.memoryOf(link).counts(link);
    if (!counts) {
      std::string why = "link " + std::to_string(link) + " is not there (any more)";
      return abi::refuse(VBN_FAILED, why.c_str());
    }
    abi::handOut(toC(*counts), target, "vbn_link_counters");
    return VBN_OK;
  });
}

uint32_t vbn_fabric_links(const vbn_fabric* fabric, uint64_t* links, uint32_t room) noexcept {
  uint32_t count = 0;
  quietly([&] {
    abi::need(fabric, "the fabric");
    if (room != 0) abi::need(links, "the place for the links");
    for (const abi::WorkerFace& face : fabric->services.faces) {
      std::span rest = std::span(links, room).subspan(count);
      count += static_cast<uint32_t>(face.memory->links(rest));
    }
  });
  return count;
}

// ------------------------------------------------------------------ waiting

void vbn_fabric_arm(vbn_fabric* fabric) noexcept {
  vbn_worker_arm(fabric, 0);
}

void vbn_fabric_wait(vbn_fabric* fabric, uint64_t timeout_ns) noexcept {
  vbn_worker_wait(fabric, 0, timeout_ns);
}

void vbn_fabric_wake(vbn_fabric* fabric) noexcept {
  vbn_worker_wake(fabric, 0);
}

int32_t vbn_fabric_descriptor(const vbn_fabric* fabric) noexcept {
  return vbn_worker_descriptor(fabric, 0);
}

void vbn_worker_arm(vbn_fabric* fabric, uint32_t worker) noexcept {
  quietly([&] {
    abi::WorkerFace& face = abi::workerOf(fabric, worker);
    face.ticket = face.worker->arm();
  });
}

void vbn_worker_wait(vbn_fabric* fabric, uint32_t worker, uint64_t timeout_ns) noexcept {
  quietly([&] {
    abi::WorkerFace& face = abi::workerOf(fabric, worker);
    face.worker->wait(nanoseconds(timeout_ns), face.ticket);
  });
}

void vbn_worker_wake(vbn_fabric* fabric, uint32_t worker) noexcept {
  quietly([&] { abi::workerOf(fabric, worker).worker->wake(); });
}

int32_t vbn_worker_descriptor(const vbn_fabric* fabric, uint32_t worker) noexcept {
  int32_t descriptor = -1;
  quietly([&] { descriptor = abi::workerOf(fabric, worker).worker->descriptor(); });
  return descriptor;
}
