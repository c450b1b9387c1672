// SPDX-License-Identifier: Apache-2.0
//
// Endpoints: one node's peers, links and rounds over verbs.
#include <cstddef>
#include <stdexcept>
#include <string>

#include "abi/endpoint_options.h"
#include "abi/fabric_handles.h"
#include "abi/handles.h"
#include "abi/numbers.h"

using namespace verbena;
using abi::givenId;
using abi::inside;
using abi::nanoseconds;
using abi::quietly;

// Arrivals go out as they are.
static_assert(sizeof(vbn_arrival) == sizeof(streams::Arrival));
static_assert(offsetof(vbn_arrival, link) == offsetof(streams::Arrival, connection));
static_assert(offsetof(vbn_arrival, position) == offsetof(streams::Arrival, position));
static_assert(offsetof(vbn_arrival, stream) == offsetof(streams::Arrival, stream));
static_assert(offsetof(vbn_arrival, bytes) == offsetof(streams::Arrival, bytes));
static_assert(offsetof(vbn_arrival, receive) == offsetof(streams::Arrival, receive));
static_assert(offsetof(vbn_arrival, piece_count) == offsetof(streams::Arrival, pieceCount));
static_assert(offsetof(vbn_arrival, pieces) == offsetof(streams::Arrival, pieces));
static_assert(VBN_MAX_PIECES == streams::kMaxPieces);
static_assert(VBN_CONTROL_STREAM == streams::kControlStream);

namespace {

/// The node gets the services of one-sided memory, too, which are kept at `place`.
void addFabric(lanes::EndpointOptions& options, abi::FabricServices& place,
               const vbn_fabric_options& wished) {
  if (wished.workers > 1) {
    throw std::invalid_argument("a fabric of an endpoint has the endpoint's one worker, not " +
                                std::to_string(wished.workers));
  }
  fabric::Owner owner{options.manager.self, options.manager.incarnation};
  options.moreLinks = abi::linksOf(wished);
  options.addMore = [&place, owner, wished](node::Node& node) -> base::Result<void> {
    auto services = abi::addServices(node, owner, wished);
    if (!services) return services.error();
    place = std::move(*services);
    return {};
  };
}

}  // namespace

vbn_status vbn_endpoint_open(const vbn_endpoint_options* given, vbn_endpoint** opened) noexcept {
  return abi::guarded([&]() -> vbn_status {
    abi::need(opened, "the place for the endpoint");
    lanes::EndpointOptions options = abi::toOptions(given);
    auto endpoint = std::make_unique<vbn_endpoint>();
    constexpr size_t kWithFabric = offsetof(vbn_endpoint_options, fabric) + sizeof given->fabric;
    bool isWished = given->struct_bytes >= kWithFabric;
    if (isWished && given->fabric != nullptr) {
      addFabric(options, endpoint->services, abi::known(given->fabric));
    }
    auto inside = lanes::Endpoint::open(options);
    if (!inside) return abi::refuse(inside.error());
    endpoint->inside = std::move(*inside);
    *opened = endpoint.release();
    return VBN_OK;
  });
}

void vbn_endpoint_close(vbn_endpoint* endpoint) noexcept {
  quietly([&] { delete endpoint; });
}

vbn_status vbn_endpoint_fabric(vbn_endpoint* endpoint, vbn_fabric** opened) noexcept {
  return abi::guarded([&]() -> vbn_status {
    abi::need(opened, "the place for the fabric");
    lanes::Endpoint& of = inside(endpoint);
    if (endpoint->services.faces.empty()) {
      throw std::invalid_argument("the endpoint was opened without a fabric: set options.fabric");
    }
    if (endpoint->isShared) {
      return abi::refuse(VBN_FAILED, "the fabric of this endpoint was opened before");
    }
    *opened = new vbn_fabric{.services = endpoint->services,
                             .address = of.address(),
                             .node = &of.node(),
                             .endpoint = &of};
    endpoint->isShared = true;
    return VBN_OK;
  });
}

const char* vbn_endpoint_address(const vbn_endpoint* endpoint) noexcept {
  const char* text = nullptr;
  quietly([&] { text = inside(endpoint).address().c_str(); });
  return text;
}

const char* vbn_endpoint_describe(const vbn_endpoint* endpoint, uint32_t number) noexcept {
  const char* text = nullptr;
  quietly([&] {
    const auto& lines = inside(endpoint).description();
    if (number < lines.size()) text = lines[number].c_str();
  });
  return text;
}

vbn_status vbn_endpoint_add_peer(vbn_endpoint* endpoint, uint32_t peer,
                                 const char* address) noexcept {
  return abi::guarded([&] {
    abi::need(address, "the address");
    inside(endpoint).manager().addPeer(givenId(peer), address);
    return VBN_OK;
  });
}

vbn_status vbn_endpoint_remove_peer(vbn_endpoint* endpoint, uint32_t peer) noexcept {
  return abi::guarded([&] {
    inside(endpoint).manager().removePeer(givenId(peer));
    return VBN_OK;
  });
}

int32_t vbn_endpoint_is_reachable(const vbn_endpoint* endpoint, uint32_t peer) noexcept {
  bool reachable = false;
  quietly([&] { reachable = inside(endpoint).manager().isReachable(givenId(peer)); });
  return reachable ? 1 : 0;
}

vbn_status vbn_endpoint_dial(vbn_endpoint* endpoint, uint32_t peer, const char* address,
                             uint64_t timeout_ns) noexcept {
  return abi::guarded([&] {
    connect::Manager& manager = inside(endpoint).manager();
    if (address != nullptr) manager.addPeer(givenId(peer), address);
    manager.dial(givenId(peer), streams::kStreams, nanoseconds(timeout_ns));
    return VBN_OK;
  });
}

void vbn_link_close(vbn_endpoint* endpoint, uint64_t link, const char* reason) noexcept {
  quietly([&] { inside(endpoint).manager().close(link, reason == nullptr ? "" : reason); });
}

int32_t vbn_endpoint_news(vbn_endpoint* endpoint, vbn_news* target) noexcept {
  int32_t found = -1;
  quietly([&] {
    lanes::Endpoint& from = inside(endpoint);
    abi::need(target, "the place for the news");
    abi::checkSize(target, abi::kFirstNewsBytes, "vbn_news");  // before it is taken
    auto news = from.takeNews();
    found = news ? 1 : 0;
    if (!news) return;
    abi::handOut(abi::toC(*news), target, "vbn_news");
  });
  return found;
}

int32_t vbn_link_pump(vbn_endpoint* endpoint, uint64_t link) noexcept {
  bool blocked = false;
  quietly([&] { blocked = inside(endpoint).engine().pump(link); });
  return blocked ? 1 : 0;
}

uint64_t vbn_link_write(vbn_endpoint* endpoint, uint64_t link, const void* bytes,
                        uint64_t count) noexcept {
  uint64_t taken = 0;
  quietly([&] {
    if (count != 0) abi::need(static_cast<const std::byte*>(bytes), "what is to be written");
    taken = inside(endpoint).engine().writeControl(
        link, {static_cast<const std::byte*>(bytes), static_cast<size_t>(count)});
  });
  return taken;
}

uint64_t vbn_endpoint_progress(vbn_endpoint* endpoint, vbn_arrival* arrivals,
                               uint32_t room) noexcept {
  lanes::Round round;
  quietly([&] {
    if (room != 0) abi::need(arrivals, "the place for the arrivals");
    round = inside(endpoint).progress({reinterpret_cast<streams::Arrival*>(arrivals), room});
  });
  return round.arrivals | (round.news ? VBN_ROUND_NEWS : 0) | (round.work ? VBN_ROUND_WORK : 0);
}

void vbn_endpoint_arm(vbn_endpoint* endpoint) noexcept {
  quietly([&] { inside(endpoint).engine().arm(); });
}

void vbn_endpoint_wait(vbn_endpoint* endpoint, uint64_t timeout_ns) noexcept {
  quietly([&] { inside(endpoint).engine().wait(std::chrono::nanoseconds(timeout_ns)); });
}

void vbn_endpoint_wake(vbn_endpoint* endpoint) noexcept {
  quietly([&] { inside(endpoint).engine().wake(); });
}

vbn_status vbn_endpoint_counters(const vbn_endpoint* endpoint, vbn_counters* counters) noexcept {
  return abi::guarded([&] {
    connect::ManagerCounters exchange = inside(endpoint).manager().counters();
    streams::EngineMemory memory = inside(endpoint).engine().memory();
    vbn_counters out{};
    out.connections = static_cast<uint32_t>(exchange.linksMade - exchange.linksLost);
    out.links_made = exchange.linksMade;
    out.links_lost = exchange.linksLost;
    out.refused_protocol = exchange.rejectedLength + exchange.rejectedProtocol;
    out.refused_identity = exchange.rejectedIdentity;
    out.refused_key = exchange.rejectedKey;
    out.exchange_packets_in = exchange.packetsReceived;
    out.exchange_packets_out = exchange.packetsSent;
    out.receive_buffer_bytes = memory.receiveBuffers;
    out.bytes_per_connection = memory.perConnection;
    out.completion_queue_bytes = memory.completionQueues;
    abi::handOut(out, counters, "vbn_counters");
    return VBN_OK;
  });
}
