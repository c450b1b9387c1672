// SPDX-License-Identifier: Apache-2.0
#include "far.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>

#include "host/yield.h"
#include "must.h"
#include "waiting.h"
#include "world.h"

namespace verbena::shmem {
namespace {

constexpr uint64_t kPatienceNs = 60'000'000'000;
constexpr uint64_t kQuietNs = 100'000'000;
constexpr uint32_t kDoneAtOnce = 32;
/// Who starts the PEs knows which have ended. A busy host may keep one from saying so for long.
constexpr uint64_t kHeartbeatNs = 5'000'000'000;
constexpr uint64_t kDeadAfterNs = 120'000'000'000;

std::string hex(const uint8_t* bytes, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; i++) {
    text += "0123456789abcdef"[bytes[i] >> 4];
    text += "0123456789abcdef"[bytes[i] & 15];
  }
  return text;
}

}  // namespace

// Links with the others and with the second node, and one that makes way for another.
Far::Far(vbn_job* job, const std::string& device)
    : Far(job, device, vbn_job_rank(job), vbn_job_size(job) + 1, kSlotBytes) {}

Far::Far(vbn_job* job, const std::string& device, uint32_t node, uint32_t links, size_t slotBytes)
    : peers_(vbn_job_size(job)), slotBytes_(slotBytes) {
  std::string host = vbn_job_host_address(job);
  std::string listen = (host.find(':') == std::string::npos ? host : "[" + host + "]") + ":0";
  vbn_wishes wishes = {};
  wishes.struct_bytes = sizeof wishes;
  wishes.device = device.c_str();
  wishes.gid_index = wishes.pkey = wishes.service_level = -1;
  // softnic listens for other hosts only where it is told to.
  bool isAlone = host == "127.0.0.1" || std::getenv("VERBENA_SOFTNIC_TCP") != nullptr;
  if (!isAlone) wishes.listen = host.c_str();
  vbn_fabric_options options = {};
  options.struct_bytes = sizeof options;
  options.node_id = node;
  options.cluster = vbn_job_id(job);
  options.key = vbn_job_key(job, &options.key_bytes);
  options.listen = listen.c_str();
  options.device = &wishes;
  options.max_links = links;
  options.device_only = 1;
  options.heartbeat_ns = kHeartbeatNs;
  options.dead_after_ns = kDeadAfterNs;
  must(vbn_fabric_open(&options, &fabric_), "cannot open the fabric");
  must(vbn_region_allocate(fabric_, kSlots * slotBytes_, &stage_), "no memory for transfers");
  staging_ = static_cast<std::byte*>(vbn_region_memory(stage_));
}

Far::~Far() {
  myself_.reset();
  for (Peer& peer : peers_) vbn_remote_free(peer.remote);
  vbn_fabric_close(fabric_);
  vbn_region_free(stage_);
  vbn_region_free(shared_);
}

std::string Far::share(void* start, size_t bytes) {
  must(vbn_region_register(fabric_, start, bytes, &shared_), "cannot register symmetric memory");
  std::array<uint8_t, VBN_KEY_BYTES> key{};
  uint32_t access = VBN_REMOTE_GET | VBN_REMOTE_PUT;
  if (atomics() != VBN_ATOMICS_NONE) access |= VBN_REMOTE_ATOMIC;
  must(vbn_region_share(shared_, 0, bytes, access, key.data()), "cannot share symmetric memory");
  return hex(key.data(), key.size());
}

void Far::meet(uint32_t pe, const std::string& address, const std::string& key) {
  std::array<uint8_t, VBN_KEY_BYTES> bytes{};
  for (size_t i = 0; i < bytes.size() && 2 * i + 2 <= key.size(); i++) {
    std::from_chars(key.data() + 2 * i, key.data() + 2 * i + 2, bytes[i], 16);
  }
  must(vbn_remote_open(bytes.data(), bytes.size(), &peers_[pe].remote), "a PE's key is none");
  must(vbn_fabric_add_peer(fabric_, pe, address.c_str()), "a PE's address is none");
}

void Far::meetMyself(vbn_job* job, const std::string& device, const std::string& key) {
  myself_.reset(new Far(job, device, VBN_ANY_NODE, 2, kSlotBytesOfWords));
  myself_->target_ = this;
  myself_->meet(vbn_job_rank(job), address(), key);
}

Far::Peer& Far::linked(uint32_t pe) {
  Peer& peer = peers_[pe];
  if (peer.link == 0) {
    must(vbn_fabric_link(fabric_, pe, kPatienceNs, &peer.link),
         "cannot reach PE " + std::to_string(pe));
  }
  return peer;
}

uint32_t Far::takeDone() {
  std::array<vbn_done, kDoneAtOnce> done;
  uint32_t count = vbn_fabric_poll(fabric_, done.data(), kDoneAtOnce);
  for (uint32_t i = 0; i < count; i++) {
    if (done[i].outcome != VBN_OUTCOME_DONE && !isLeaving_) {
      lookForTheEnd();  // then the link has ended for that
      std::array<char, 512> text{};
      vbn_done_sentence(&done[i], text.data(), text.size());
      refuse(text.data());
    }
    Slot& slot = slots_[done[i].cookie];
    if (slot.dest != nullptr) std::memcpy(slot.dest, at(done[i].cookie), slot.bytes);
    slot = {};
  }
  return count;
}

void Far::takeDoneOrYield(Wait& wait) {
  if (target_ != nullptr) target_->progress();
  if (takeDone() != 0 || ++wait.looks <= world.looks) return;
  wait.looks = 0;
  lookAt(wait);
  lookForTheEnd();
  host::yield();
}

size_t Far::freeSlot() {
  for (Wait wait; slots_[nextSlot_].isOpen;) takeDoneOrYield(wait);
  size_t slot = nextSlot_;
  nextSlot_ = (nextSlot_ + 1) % kSlots;
  slots_[slot].isOpen = true;
  return slot;
}

void Far::post(Peer& peer, uint32_t pe, const vbn_operation& operation) {
  uint32_t posted = 0;
  for (Wait wait; posted == 0;) {
    must(vbn_fabric_post(fabric_, peer.link, &operation, 1, &posted),
         "cannot reach PE " + std::to_string(pe));
    if (posted == 0) takeDoneOrYield(wait);
  }
}

void Far::await(size_t slot) {
  for (Wait wait; slots_[slot].isOpen;) takeDoneOrYield(wait);
}

void Far::put(size_t offset, const void* source, size_t bytes, uint32_t pe) {
  std::lock_guard guard(lock_);
  Peer& peer = linked(pe);
  const auto* from = static_cast<const std::byte*>(source);
  while (bytes > 0) {
    size_t piece = std::min(bytes, slotBytes_);
    size_t slot = freeSlot();
    std::memcpy(at(slot), from, piece);
    vbn_operation operation = {};
    operation.kind = VBN_PUT;
    operation.local = stage_;
    operation.local_offset = slot * slotBytes_;
    operation.remote = peer.remote;
    operation.offset = offset;
    operation.length = piece;
    operation.cookie = slot;
    post(peer, pe, operation);
    from += piece;
    offset += piece;
    bytes -= piece;
  }
}

void Far::get(void* dest, size_t offset, size_t bytes, uint32_t pe) {
  std::lock_guard guard(lock_);
  size_t last = beginGetting(dest, offset, bytes, pe);
  if (last < kSlots) await(last);
}

void Far::beginGet(void* dest, size_t offset, size_t bytes, uint32_t pe) {
  std::lock_guard guard(lock_);
  beginGetting(dest, offset, bytes, pe);
}

size_t Far::beginGetting(void* dest, size_t offset, size_t bytes, uint32_t pe) {
  Peer& peer = linked(pe);
  auto* to = static_cast<std::byte*>(dest);
  size_t slot = kSlots;
  while (bytes > 0) {
    size_t piece = std::min(bytes, slotBytes_);
    slot = freeSlot();
    slots_[slot].dest = to;
    slots_[slot].bytes = piece;
    vbn_operation operation = {};
    operation.kind = VBN_GET;
    operation.local = stage_;
    operation.local_offset = slot * slotBytes_;
    operation.remote = peer.remote;
    operation.offset = offset;
    operation.length = piece;
    operation.cookie = slot;
    post(peer, pe, operation);
    to += piece;
    offset += piece;
    bytes -= piece;
  }
  return slot;
}

void Far::settle() {
  std::lock_guard guard(lock_);
  for (size_t slot = 0; slot < kSlots; slot++) {
    if (slots_[slot].dest != nullptr) await(slot);
  }
}

uint64_t Far::word(size_t offset, uint32_t pe) {
  auto* near = nearAt<std::atomic<uint64_t>>(offset, static_cast<int>(pe));
  if (near != nullptr) return near->load(std::memory_order_relaxed);
  uint64_t value = 0;
  get(&value, offset, sizeof value, pe);
  return value;
}

uint64_t Far::fetchAdd(size_t offset, uint32_t pe, uint64_t value) {
  vbn_operation operation = {};
  operation.kind = VBN_FETCH_ADD;
  operation.operand = value;
  return atomic(operation, offset, pe);
}

uint64_t Far::compareSwap(size_t offset, uint32_t pe, uint64_t expected, uint64_t desired) {
  vbn_operation operation = {};
  operation.kind = VBN_COMPARE_SWAP;
  operation.operand = expected;
  operation.swap = desired;
  return atomic(operation, offset, pe);
}

uint64_t Far::atomic(vbn_operation operation, size_t offset, uint32_t pe) {
  if (myself_ != nullptr && pe == world.me) return myself_->atomic(operation, offset, pe);
  std::lock_guard guard(lock_);
  Peer& peer = linked(pe);
  size_t slot = freeSlot();
  operation.local = stage_;
  operation.local_offset = slot * slotBytes_;
  operation.remote = peer.remote;
  operation.offset = offset;
  operation.length = sizeof(uint64_t);
  operation.cookie = slot;
  post(peer, pe, operation);
  await(slot);
  uint64_t found = 0;
  std::memcpy(&found, at(slot), sizeof found);
  return found;
}

void Far::quiet() {
  std::lock_guard guard(lock_);
  for (size_t slot = 0; slot < kSlots; slot++) await(slot);
  for (Wait wait; vbn_fabric_quiet(fabric_, kQuietNs, nullptr) != VBN_OK;) {
    lookForTheEnd();
    lookAt(wait);
  }
}

bool Far::isOpen() const {
  return std::ranges::any_of(slots_, &Slot::isOpen);
}

void Far::leave() {
  std::lock_guard guard(lock_);
  for (Wait wait; isOpen();) takeDoneOrYield(wait);
}

void Far::progress() {
  std::unique_lock guard(lock_, std::try_to_lock);
  if (guard.owns_lock()) takeDone();
}

}  // namespace verbena::shmem
