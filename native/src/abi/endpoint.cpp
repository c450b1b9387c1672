// SPDX-License-Identifier: Apache-2.0
//
// Endpoints: one node's links and lanes over verbs.
#include <bit>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>

#include "abi/boundary.h"
#include "abi/wishes.h"
#include "lanes/endpoint.h"

using namespace verbena;

// Arrivals go out as they are.
static_assert(sizeof(vbn_arrival) == sizeof(engine::Arrival));
static_assert(offsetof(vbn_arrival, link) == offsetof(engine::Arrival, connection));
static_assert(offsetof(vbn_arrival, position) == offsetof(engine::Arrival, position));
static_assert(offsetof(vbn_arrival, stream) == offsetof(engine::Arrival, stream));
static_assert(offsetof(vbn_arrival, bytes) == offsetof(engine::Arrival, bytes));
static_assert(offsetof(vbn_arrival, receive) == offsetof(engine::Arrival, receive));
static_assert(offsetof(vbn_arrival, piece_count) == offsetof(engine::Arrival, pieceCount));
static_assert(offsetof(vbn_arrival, pieces) == offsetof(engine::Arrival, pieces));
static_assert(VBN_MAX_PIECES == engine::kMaxPieces);
static_assert(VBN_CONTROL_STREAM == engine::kControlStream);
static_assert(VBN_RING_POSTED_OFFSET == lanes::kPostedOffset);
static_assert(VBN_REFUSED_LOCAL == static_cast<uint32_t>(connect::Refusal::local));

struct vbn_endpoint {
  std::unique_ptr<lanes::Endpoint> inside;
};

struct vbn_ring {
  std::shared_ptr<engine::Ring> inside;
};

struct vbn_replica {
  std::shared_ptr<engine::Replica> inside;
};

namespace {

/// When this version of the ABI began.
constexpr size_t kFirstOptionsBytes = offsetof(vbn_endpoint_options, discovery_ns);

/// What is longer than decades is for ever, and can be added to a time of day.
std::chrono::nanoseconds nanoseconds(uint64_t given) {
  return std::chrono::nanoseconds(static_cast<int64_t>(std::min<uint64_t>(given, INT64_MAX / 4)));
}

void check(const vbn_endpoint_options& given) {
  if (given.node_id > 0xFFFF || given.incarnation == 0) {
    throw std::invalid_argument("a node id has 16 bits and an incarnation is not 0");
  }
  if ((given.key == nullptr) != (given.key_bytes == 0)) {
    throw std::invalid_argument("a key has both a place and a length, or neither");
  }
}

lanes::EndpointOptions toOptions(const vbn_endpoint_options& given) {
  lanes::EndpointOptions options;
  options.device = abi::toWishes(given.device);
  options.kernelOnly = given.kernel_only != 0;
  engine::EngineOptions& engine = options.engine;
  engine.self = static_cast<connect::NodeId>(given.node_id);
  engine.maxConnections = given.max_connections;
  engine.sendWorkRequests = given.send_work_requests;
  engine.signalEvery = given.signal_every;
  engine.bufferBytes = given.buffer_bytes;
  engine.buffersPerReceive = given.buffers_per_receive;
  engine.receiveWorkRequests = given.receive_work_requests;
  engine.window = given.window;
  engine.controlRingBytes = given.control_bytes;
  connect::ManagerOptions& manager = options.manager;
  manager.self = engine.self;
  manager.incarnation = given.incarnation;
  if (given.cluster != nullptr) manager.cluster = given.cluster;
  if (given.key != nullptr) {
    auto* key = reinterpret_cast<const std::byte*>(given.key);
    manager.key.assign(key, key + given.key_bytes);
  }
  if (given.listen != nullptr) manager.listen = given.listen;
  manager.heartbeat = nanoseconds(given.heartbeat_ns);
  manager.deadAfter = nanoseconds(given.dead_after_ns);
  manager.discovery = nanoseconds(given.discovery_ns);
  return options;
}

uint32_t toNumber(lanes::News::Kind kind) {
  switch (kind) {
    case lanes::News::Kind::up: return VBN_NEWS_UP;
    case lanes::News::Kind::down: return VBN_NEWS_DOWN;
    case lanes::News::Kind::dialFailed: return VBN_NEWS_DIAL_FAILED;
    case lanes::News::Kind::gone: return VBN_NEWS_GONE;
  }
  return 0;
}

vbn_status refuse(const verbs::Error& error) {
  return abi::refuse(VBN_FAILED, error.sentence().c_str());
}

uint64_t laneSize(uint64_t bytes) {
  bool isOne = bytes > lanes::kRingOffset && std::has_single_bit(bytes - lanes::kRingOffset);
  if (!isOne) throw std::invalid_argument("a lane's memory is 4096 bytes and a power of two");
  return bytes;
}

connect::NodeId nodeId(uint32_t number) {
  if (number > 0xFFFF) throw std::invalid_argument("a node id has 16 bits");
  return static_cast<connect::NodeId>(number);
}

uint32_t laneId(uint32_t number) {
  if (number > 0xFFFF) throw std::invalid_argument("a lane's id has 16 bits");
  return number;
}

lanes::Endpoint& inside(const vbn_endpoint* endpoint) {
  return *abi::need(endpoint, "the endpoint").inside;
}

/// For functions that have nothing to say of failure: refused arguments, and a lack of memory, in
/// which case what could not be done now is asked for again.
template <typename Body>
void quietly(Body body) noexcept {
  abi::guarded([&] {
    body();
    return VBN_OK;
  });
}

}  // namespace

vbn_status vbn_endpoint_open(const vbn_endpoint_options* given, vbn_endpoint** opened) noexcept {
  return abi::guarded([&]() -> vbn_status {
    abi::need(opened, "the place for the endpoint");
    vbn_endpoint_options known = abi::takeIn(given, kFirstOptionsBytes, "vbn_endpoint_options");
    check(known);
    auto endpoint = lanes::Endpoint::open(toOptions(known));
    if (!endpoint) return refuse(endpoint.error());
    *opened = new vbn_endpoint{std::move(*endpoint)};
    return VBN_OK;
  });
}

void vbn_endpoint_close(vbn_endpoint* endpoint) noexcept {
  quietly([&] { delete endpoint; });
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
    inside(endpoint).manager().addPeer(nodeId(peer), address);
    return VBN_OK;
  });
}

vbn_status vbn_endpoint_remove_peer(vbn_endpoint* endpoint, uint32_t peer) noexcept {
  return abi::guarded([&] {
    inside(endpoint).manager().removePeer(nodeId(peer));
    return VBN_OK;
  });
}

int32_t vbn_endpoint_is_reachable(const vbn_endpoint* endpoint, uint32_t peer) noexcept {
  bool reachable = false;
  quietly([&] { reachable = inside(endpoint).manager().isReachable(nodeId(peer)); });
  return reachable ? 1 : 0;
}

vbn_status vbn_endpoint_dial(vbn_endpoint* endpoint, uint32_t peer, const char* address,
                             uint64_t timeout_ns) noexcept {
  return abi::guarded([&] {
    connect::Manager& manager = inside(endpoint).manager();
    if (address != nullptr) manager.addPeer(nodeId(peer), address);
    manager.dial(nodeId(peer), nanoseconds(timeout_ns));
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
    if (abi::need(target, "the place for the news").struct_bytes != sizeof *target) {
      throw std::invalid_argument("vbn_news: struct_bytes is " +
                                  std::to_string(target->struct_bytes) + "; it has " +
                                  std::to_string(sizeof *target));
    }
    auto news = from.takeNews();
    found = news ? 1 : 0;
    if (!news) return;
    vbn_news out{};
    out.struct_bytes = sizeof out;
    out.kind = toNumber(news->kind);
    out.link = news->link;
    out.incarnation = news->incarnation;
    out.peer = news->peer;
    out.dialled = news->dialled ? 1 : 0;
    out.refusal = static_cast<uint32_t>(news->refusal);
    abi::copyText(out.text, news->text);
    *target = out;
  });
  return found;
}

vbn_status vbn_ring_allocate(vbn_endpoint* endpoint, uint64_t bytes, vbn_ring** ring,
                             void** memory) noexcept {
  return abi::guarded([&]() -> vbn_status {
    abi::need(ring, "the place for the ring");
    abi::need(memory, "the place for its memory");
    auto allocated = inside(endpoint).engine().allocateRing(laneSize(bytes));
    if (!allocated) return refuse(allocated.error());
    *memory = (*allocated)->start();
    *ring = new vbn_ring{std::move(*allocated)};
    return VBN_OK;
  });
}

void vbn_ring_free(vbn_ring* ring) noexcept {
  quietly([&] { delete ring; });
}

vbn_status vbn_replica_allocate(vbn_endpoint* endpoint, uint64_t bytes, vbn_replica** replica,
                                void** memory) noexcept {
  return abi::guarded([&]() -> vbn_status {
    abi::need(replica, "the place for the replica");
    abi::need(memory, "the place for its memory");
    auto allocated = inside(endpoint).engine().allocateReplica(laneSize(bytes));
    if (!allocated) return refuse(allocated.error());
    *memory = (*allocated)->start();
    *replica = new vbn_replica{std::move(*allocated)};
    return VBN_OK;
  });
}

vbn_status vbn_replica_grant(vbn_endpoint* endpoint, vbn_replica* replica, uint64_t* address,
                             uint32_t* key) noexcept {
  return abi::guarded([&]() -> vbn_status {
    abi::need(address, "the place for the address");
    abi::need(key, "the place for the key");
    engine::Replica& granting = *abi::need(replica, "the replica").inside;
    auto granted = inside(endpoint).engine().grant(granting, lanes::kRingOffset);
    if (!granted) return refuse(granted.error());
    *address = granted->address;
    *key = granted->key;
    return VBN_OK;
  });
}

void vbn_replica_revoke(vbn_replica* replica) noexcept {
  quietly([&] { abi::need(replica, "the replica").inside->revoke(); });
}

void vbn_replica_free(vbn_replica* replica) noexcept {
  quietly([&] { delete replica; });
}

vbn_status vbn_link_open_lane(vbn_endpoint* endpoint, uint64_t link, uint32_t lane, vbn_ring* ring,
                              uint64_t from, uint64_t boundary) noexcept {
  return abi::guarded([&]() -> vbn_status {
    const auto& memory = abi::need(ring, "the ring").inside;
    auto opened = inside(endpoint).openLane(link, laneId(lane), memory, from, boundary);
    return opened ? VBN_OK : refuse(opened.error());
  });
}

void vbn_link_place_lane(vbn_endpoint* endpoint, uint64_t link, uint32_t lane, uint64_t address,
                         uint32_t key) noexcept {
  quietly([&] { inside(endpoint).placeLane(link, laneId(lane), address, key); });
}

void vbn_link_close_lane(vbn_endpoint* endpoint, uint64_t link, uint32_t lane) noexcept {
  quietly([&] { inside(endpoint).closeLane(link, laneId(lane)); });
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
    round = inside(endpoint).progress({reinterpret_cast<engine::Arrival*>(arrivals), room});
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
  return abi::guarded([&]() -> vbn_status {
    connect::ManagerCounters exchange = inside(endpoint).manager().counters();
    engine::EngineMemory memory = inside(endpoint).engine().memory();
    vbn_counters out{};
    out.connections = static_cast<uint32_t>(exchange.connectionsMade - exchange.connectionsLost);
    out.links_made = exchange.connectionsMade;
    out.links_lost = exchange.connectionsLost;
    out.refused_protocol = exchange.rejectedLength + exchange.rejectedProtocol;
    out.refused_identity = exchange.rejectedIdentity;
    out.refused_key = exchange.rejectedKey;
    out.exchange_packets_in = exchange.packetsReceived;
    out.exchange_packets_out = exchange.packetsSent;
    out.receive_buffer_bytes = memory.receiveBuffers;
    out.bytes_per_connection = memory.perConnection;
    out.completion_queue_bytes = memory.completionQueues;
    return abi::handOut(out, counters);
  });
}
