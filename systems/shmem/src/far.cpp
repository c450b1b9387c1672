// SPDX-License-Identifier: Apache-2.0
#include "far.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdlib>

#include "must.h"
#include "waiting.h"
#include "world.h"

namespace verbena::shmem {
namespace {

constexpr uint64_t kPatienceNs = 60'000'000'000;
constexpr uint64_t kQuietNs = 100'000'000;
constexpr uint32_t kDoneAtOnce = 32;
/// The job knows which PEs have ended. A busy host may keep one from saying so for long.
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
  must(vbn_region_allocate(fabric_, (kSlots + 1) * slotBytes_, &stage_), "no memory for transfers");
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
    mustReach(vbn_fabric_link(fabric_, pe, kPatienceNs, &peer.link), pe);
  }
  return peer;
}

void Far::mustReach(vbn_status status, uint32_t pe) {
  if (status != VBN_OK) lookForTheEndAtOnce();  // that one may have ended
  must(status, "cannot reach PE " + std::to_string(pe));
}

uint32_t Far::takeDone() {
  std::array<vbn_done, kDoneAtOnce> done;
  uint32_t count = vbn_fabric_poll(fabric_, done.data(), kDoneAtOnce);
  for (uint32_t i = 0; i < count; i++) {
    if (done[i].outcome != VBN_OUTCOME_DONE && !isLeaving_) {
      lookForTheEndAtOnce();  // then the link has ended for that
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

void Far::takeDoneOrRest(Wait& wait) {
  if (target_ != nullptr) target_->progress();
  if (takeDone() != 0 || ++wait.looks <= world.looks) return;
  wait.looks = 0;
  lookAt(wait);
  lookForTheEnd();
  if (wait.rests.areLong()) {
    if (target_ != nullptr) target_->standBack();
    standBack();
  }
  wait.rests.take();
}

/// By arming, though the thread sleeps elsewhere: the wait of no time takes the events.
void Far::standBack() {
  std::unique_lock guard(lock_, std::try_to_lock);
  if (!guard.owns_lock()) return;
  vbn_fabric_arm(fabric_);
  takeDone();
  vbn_fabric_wait(fabric_, 0);
}

size_t Far::freeSlot() {
  for (Wait wait; slots_[nextSlot_].isOpen;) takeDoneOrRest(wait);
  size_t slot = nextSlot_;
  nextSlot_ = (nextSlot_ + 1) % kSlots;
  slots_[slot].isOpen = true;
  return slot;
}

vbn_operation Far::operationOf(uint32_t kind, size_t slot, const Peer& peer, size_t offset,
                               size_t length) const {
  vbn_operation operation = {};
  operation.kind = kind;
  operation.local = stage_;
  operation.local_offset = slot * slotBytes_;
  operation.remote = peer.remote;
  operation.offset = offset;
  operation.length = length;
  operation.cookie = slot;
  return operation;
}

void Far::post(Peer& peer, uint32_t pe, const vbn_operation& operation) {
  uint32_t posted = 0;
  for (Wait wait; posted == 0;) {
    mustReach(vbn_fabric_post(fabric_, peer.link, &operation, 1, &posted), pe);
    if (posted == 0) takeDoneOrRest(wait);
  }
}

void Far::await(size_t slot) {
  for (Wait wait; slots_[slot].isOpen;) takeDoneOrRest(wait);
}

void Far::put(size_t offset, const void* source, size_t bytes, uint32_t pe) {
  std::lock_guard guard(lock_);
  Peer& peer = linked(pe);
  const auto* from = static_cast<const std::byte*>(source);
  while (bytes > 0) {
    size_t piece = std::min(bytes, slotBytes_);
    size_t slot = freeSlot();
    std::memcpy(at(slot), from, piece);
    post(peer, pe, operationOf(VBN_PUT, slot, peer, offset, piece));
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
    post(peer, pe, operationOf(VBN_GET, slot, peer, offset, piece));
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
  return atomic(VBN_FETCH_ADD, offset, pe, value, 0);
}

uint64_t Far::compareSwap(size_t offset, uint32_t pe, uint64_t expected, uint64_t desired) {
  return atomic(VBN_COMPARE_SWAP, offset, pe, expected, desired);
}

uint64_t Far::atomic(uint32_t kind, size_t offset, uint32_t pe, uint64_t operand, uint64_t swap) {
  if (myself_ != nullptr && pe == world.me) return myself_->atomic(kind, offset, pe, operand, swap);
  std::lock_guard guard(lock_);
  Peer& peer = linked(pe);
  size_t slot = freeSlot();
  vbn_operation operation = operationOf(kind, slot, peer, offset, sizeof(uint64_t));
  operation.operand = operand;
  operation.swap = swap;
  post(peer, pe, operation);
  await(slot);
  uint64_t found = 0;
  std::memcpy(&found, at(slot), sizeof found);
  return found;
}

void Far::quiet() {
  std::lock_guard guard(lock_);
  awaitAll();
  for (Wait wait; vbn_fabric_quiet(fabric_, kQuietNs, nullptr) != VBN_OK;) {
    lookForTheEnd();
    lookAt(wait);
  }
}

void Far::awaitAll() {
  for (size_t slot = 0; slot < kSlots; slot++) await(slot);
}

void Far::leave() {
  std::lock_guard guard(lock_);
  awaitAll();
}

/// Another thread may wait for one of them, for as long as that takes.
void Far::tryToTellAll(size_t offset, uint64_t value) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds kPatience{2};
  constexpr uint64_t kEachNs = 500'000'000;
  auto end = Clock::now() + kPatience;
  std::unique_lock guard(lock_, std::defer_lock);
  for (host::Rests rests; !guard.try_lock(); rests.take()) {
    if (Clock::now() >= end) return;
  }
  std::memcpy(at(kLastWord), &value, sizeof value);
  std::array<vbn_done, kDoneAtOnce> done;
  for (uint32_t pe = 0; pe < world.size; pe++) {
    Peer& peer = peers_[pe];
    if (world.near[pe] != nullptr || Clock::now() >= end) continue;
    if (peer.link == 0 && vbn_fabric_link(fabric_, pe, kEachNs, &peer.link) != VBN_OK) continue;
    vbn_operation word = operationOf(VBN_PUT, kLastWord, peer, offset, sizeof value);
    uint32_t posted = 0;
    while (vbn_fabric_post(fabric_, peer.link, &word, 1, &posted) == VBN_OK && posted == 0 &&
           Clock::now() < end) {
      vbn_fabric_poll(fabric_, done.data(), kDoneAtOnce);
    }
  }
  vbn_fabric_quiet(fabric_, kEachNs, nullptr);
}

void Far::progress() {
  std::unique_lock guard(lock_, std::try_to_lock);
  if (guard.owns_lock()) takeDone();
}

}  // namespace verbena::shmem
