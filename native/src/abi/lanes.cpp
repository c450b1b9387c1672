// SPDX-License-Identifier: Apache-2.0
//
// Lanes of an endpoint: their memory, and their way onto links.
#include <bit>
#include <stdexcept>
#include <string>

#include "abi/handles.h"
#include "abi/numbers.h"

using namespace verbena;
using abi::inside;
using abi::quietly;

static_assert(VBN_RING_POSTED_OFFSET == lanes::kPostedOffset);

struct vbn_ring {
  std::shared_ptr<streams::Ring> inside;
};

struct vbn_replica {
  std::shared_ptr<streams::Replica> inside;
};

namespace {

uint64_t laneSize(uint64_t bytes) {
  bool isOne = bytes > lanes::kRingOffset && std::has_single_bit(bytes - lanes::kRingOffset);
  if (!isOne) {
    throw std::invalid_argument("a lane's memory is 4096 bytes and a power of two; it is " +
                                std::to_string(bytes));
  }
  return bytes;
}

uint32_t laneId(uint32_t number) {
  if (number > 0xFFFF) {
    throw std::invalid_argument("a lane's id has 16 bits; it is " + std::to_string(number));
  }
  return number;
}

}  // namespace

vbn_status vbn_ring_allocate(vbn_endpoint* endpoint, uint64_t bytes, vbn_ring** ring,
                             void** memory) noexcept {
  return abi::guarded([&]() -> vbn_status {
    abi::need(ring, "the place for the ring");
    abi::need(memory, "the place for its memory");
    auto allocated = inside(endpoint).engine().allocateRing(laneSize(bytes));
    if (!allocated) return abi::refuse(allocated.error());
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
    if (!allocated) return abi::refuse(allocated.error());
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
    streams::Replica& granting = *abi::need(replica, "the replica").inside;
    auto granted = inside(endpoint).engine().grant(granting, lanes::kRingOffset);
    if (!granted) return abi::refuse(granted.error());
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
    return opened ? VBN_OK : abi::refuse(opened.error());
  });
}

void vbn_link_place_lane(vbn_endpoint* endpoint, uint64_t link, uint32_t lane, uint64_t address,
                         uint32_t key) noexcept {
  quietly([&] { inside(endpoint).placeLane(link, laneId(lane), address, key); });
}

void vbn_link_close_lane(vbn_endpoint* endpoint, uint64_t link, uint32_t lane) noexcept {
  quietly([&] { inside(endpoint).closeLane(link, laneId(lane)); });
}
