// SPDX-License-Identifier: Apache-2.0
//
// Regions, keys and operations on them.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "abi/fabric_handles.h"
#include "abi/numbers.h"

using namespace verbena;
using abi::inside;
using abi::quietly;
using fabric::Done;
using fabric::Operation;
using fabric::Region;
using fabric::RegionKey;
using fabric::Request;

static_assert(VBN_KEY_BYTES == RegionKey::kBytes);
static_assert(VBN_REMOTE_GET == fabric::kRemoteGet && VBN_REMOTE_PUT == fabric::kRemotePut &&
              VBN_REMOTE_ATOMIC == fabric::kRemoteAtomic);
static_assert(VBN_PUT == uint32_t(Operation::put) && VBN_GET == uint32_t(Operation::get) &&
              VBN_FETCH_ADD == uint32_t(Operation::fetchAdd) &&
              VBN_COMPARE_SWAP == uint32_t(Operation::compareSwap) &&
              VBN_FLUSH == uint32_t(Operation::flush));
static_assert(VBN_OUTCOME_DONE == uint32_t(Done::Outcome::done) &&
              VBN_OUTCOME_REFUSED == uint32_t(Done::Outcome::refused) &&
              VBN_OUTCOME_UNKNOWN == uint32_t(Done::Outcome::unknown));

namespace {

/// Operations and what is done are translated a batch at a time.
constexpr size_t kBatch = 16;

/// What is done by mapping is there without a round. Who always finds such makes a round all the
/// same, so often.
constexpr uint32_t kPollsWithoutRound = 16;

/// Places for a batch. Clearing all of them would take longer than an operation does.
template <typename T>
class Batch {
 public:
  static_assert(std::is_trivially_destructible_v<T>);

  void put(size_t place, const T& value) { std::construct_at(start() + place, value); }
  std::span<T> first(size_t count) { return {start(), count}; }

 private:
  T* start() { return reinterpret_cast<T*>(bytes_); }

  alignas(T) std::byte bytes_[kBatch * sizeof(T)];
};

std::span<const std::byte> keyBytes(const uint8_t* key, uint64_t bytes) {
  abi::need(key, "the key");
  return {reinterpret_cast<const std::byte*>(key), static_cast<size_t>(bytes)};
}

vbn_status handOut(base::Result<std::shared_ptr<Region>> made, const vbn_fabric& fabric,
                   vbn_region** region) {
  if (!made) return abi::refuse(made.error());
  *region = new vbn_region{std::move(*made), fabric.dependents};
  return VBN_OK;
}

Request toRequest(const vbn_operation& given) {
  if (given.kind > VBN_FLUSH || (given.flags & ~(VBN_FENCE | VBN_SIGNAL)) != 0) {
    throw std::invalid_argument("there is no operation of kind " + std::to_string(given.kind) +
                                " with flags " + std::to_string(given.flags) + "; kinds are 0 to " +
                                std::to_string(VBN_FLUSH) + ", flags 0 to " +
                                std::to_string(VBN_FENCE | VBN_SIGNAL));
  }
  Request request{.operation = static_cast<Operation>(given.kind),
                  .fence = (given.flags & VBN_FENCE) != 0,
                  .signals = (given.flags & VBN_SIGNAL) != 0,
                  .signal = given.signal,
                  .localOffset = given.local_offset,
                  .offset = given.offset,
                  .length = given.length,
                  .operand = given.operand,
                  .swap = given.swap,
                  .cookie = given.cookie};
  if (given.kind == VBN_FLUSH) return request;
  request.local = &inside(given.local);
  request.key = abi::need(given.remote, "the remote").key;
  return request;
}

vbn_done toC(const Done& done) {
  return {.cookie = done.cookie,
          .offset = done.offset,
          .length = done.length,
          .key = done.rkey,
          .peer = done.peer,
          .outcome = static_cast<uint32_t>(done.outcome),
          .kind = static_cast<uint32_t>(done.operation),
          .status = static_cast<uint32_t>(done.status),
          .reserved = 0};
}

Done fromC(const vbn_done& done) {
  return {.cookie = done.cookie,
          .offset = done.offset,
          .length = done.length,
          .rkey = done.key,
          .peer = done.peer,
          .outcome = static_cast<Done::Outcome>(done.outcome),
          .operation = static_cast<Operation>(done.kind),
          .status = static_cast<ibv_wc_status>(done.status)};
}

vbn_signal toC(const fabric::Signal& signal) {
  return {.link = signal.link, .peer = signal.peer, .value = signal.value};
}

/// Takes up to so many by take(batch), and hands them out as C knows them; returns how many.
template <typename Inside, typename Outside, typename Take>
uint32_t handOutBatches(uint32_t room, Outside* target, Take take) {
  Batch<Inside> batch;
  uint32_t count = 0;
  while (count < room) {
    size_t wanted = std::min<size_t>(room - count, kBatch);
    size_t taken = take(batch.first(wanted));
    for (const Inside& each : batch.first(taken)) *target++ = toC(each);
    count += static_cast<uint32_t>(taken);
    if (taken < wanted) break;
  }
  return count;
}

/// Those before the first that makes no sense; throws if that is the first of all.
size_t toRequests(std::span<const vbn_operation> given, Batch<Request>& requests) {
  size_t count = 0;
  try {
    for (; count < std::min(given.size(), kBatch); count++) {
      requests.put(count, toRequest(given[count]));
    }
  } catch (const std::invalid_argument&) {
    if (count == 0) throw;
  }
  return count;
}

}  // namespace

// ------------------------------------------------------------------ memory

vbn_status vbn_region_allocate(vbn_fabric* fabric, uint64_t bytes, vbn_region** region) noexcept {
  return abi::guarded([&] {
    abi::need(region, "the place for the region");
    return handOut(Region::allocate(inside(fabric).worker().sharedDomain(), fabric->services.owner,
                                    static_cast<size_t>(bytes)),
                   *fabric, region);
  });
}

vbn_status vbn_region_register(vbn_fabric* fabric, void* memory, uint64_t bytes,
                               vbn_region** region) noexcept {
  return abi::guarded([&] {
    abi::need(region, "the place for the region");
    std::span all(&abi::need(static_cast<std::byte*>(memory), "the memory"),
                  static_cast<size_t>(bytes));
    return handOut(Region::registerForeign(inside(fabric).worker().sharedDomain(),
                                           fabric->services.owner, all),
                   *fabric, region);
  });
}

void vbn_region_free(vbn_region* region) noexcept {
  quietly([&] { delete region; });
}

void* vbn_region_memory(const vbn_region* region) noexcept {
  void* memory = nullptr;
  quietly([&] { memory = inside(region).bytes().data(); });
  return memory;
}

uint64_t vbn_region_bytes(const vbn_region* region) noexcept {
  uint64_t bytes = 0;
  quietly([&] { bytes = inside(region).bytes().size(); });
  return bytes;
}

vbn_status vbn_region_share(vbn_region* region, uint64_t offset, uint64_t length, uint32_t access,
                            uint8_t* key) noexcept {
  return abi::guarded([&]() -> vbn_status {
    abi::need(key, "the place for the key");
    Region& sharing = inside(region);
    if (region->fabric->isClosed()) {
      return abi::refuse(
          VBN_FAILED,
          "the fabric of the region was closed: nobody reaches its memory any more; free it");
    }
    auto shared = sharing.share(offset, length, access);
    if (!shared) return abi::refuse(shared.error());
    std::array<std::byte, RegionKey::kBytes> bytes = shared->bytes();
    std::memcpy(key, bytes.data(), bytes.size());
    return VBN_OK;
  });
}

vbn_status vbn_region_revoke(vbn_region* region, const uint8_t* key) noexcept {
  return abi::guarded([&]() -> vbn_status {
    auto known = RegionKey::of(keyBytes(key, VBN_KEY_BYTES));
    if (!known) return abi::refuse(known.error());
    auto revoked = inside(region).revoke(*known);
    return revoked ? VBN_OK : abi::refuse(revoked.error());
  });
}

vbn_status vbn_remote_open(const uint8_t* key, uint64_t key_bytes, vbn_remote** remote) noexcept {
  return abi::guarded([&]() -> vbn_status {
    abi::need(remote, "the place for the remote");
    auto known = RegionKey::of(keyBytes(key, key_bytes));
    if (!known) return abi::refuse(known.error());
    *remote = new vbn_remote{*known};
    return VBN_OK;
  });
}

void vbn_remote_free(vbn_remote* remote) noexcept {
  quietly([&] { delete remote; });
}

uint32_t vbn_remote_owner(const vbn_remote* remote) noexcept {
  uint32_t owner = 0;
  quietly([&] { owner = abi::need(remote, "the remote").key.owner; });
  return owner;
}

uint64_t vbn_remote_bytes(const vbn_remote* remote) noexcept {
  uint64_t bytes = 0;
  quietly([&] { bytes = abi::need(remote, "the remote").key.length; });
  return bytes;
}

// ------------------------------------------------------------------ operations

vbn_status vbn_fabric_post(vbn_fabric* fabric, uint64_t link, const vbn_operation* operations,
                           uint32_t count, uint32_t* posted) noexcept {
  return abi::guarded([&]() -> vbn_status {
    fabric::OneSided& memory = abi::need(fabric, "the fabric").services.memoryOf(link);
    abi::need(posted, "the place for how many were posted") = 0;
    if (count != 0) abi::need(operations, "the operations");
    while (*posted < count) {
      Batch<Request> requests;
      size_t batch = toRequests(std::span(operations, count).subspan(*posted), requests);
      auto taken = memory.post(link, requests.first(batch));
      if (!taken && *posted == 0) return abi::refuse(taken.error());
      if (!taken) break;
      *posted += *taken;
      if (*taken < std::min<size_t>(count - (*posted - *taken), kBatch)) break;
    }
    return VBN_OK;
  });
}

int32_t vbn_fabric_way(vbn_fabric* fabric, uint64_t link, char* text, uint64_t bytes) noexcept {
  int32_t found = -1;
  quietly([&] {
    auto way = abi::need(fabric, "the fabric").services.memoryOf(link).way(link);
    std::string sentence = way ? way->sentence() : "the link is not there (any more)";
    if (text != nullptr) abi::copyText(text, bytes, sentence);
    if (way) found = way->mapped ? 1 : 0;
  });
  return found;
}

uint32_t vbn_fabric_poll(vbn_fabric* fabric, vbn_done* target, uint32_t room) noexcept {
  return vbn_worker_poll(fabric, 0, target, room);
}

uint32_t vbn_worker_poll(vbn_fabric* fabric, uint32_t worker, vbn_done* target,
                         uint32_t room) noexcept {
  uint32_t count = 0;
  quietly([&] {
    abi::WorkerFace& face = abi::workerOf(fabric, worker);
    if (room != 0) abi::need(target, "the place for what is done");
    auto take = [&](auto batch) { return face.memory->poll(batch); };
    count = handOutBatches<Done>(room, target, take);
    if (count != 0 && ++face.withoutRound < kPollsWithoutRound) return;
    face.withoutRound = 0;
    fabric->drive(worker);
    count += handOutBatches<Done>(room - count, target + count, take);
  });
  return count;
}

vbn_status vbn_fabric_quiet(vbn_fabric* fabric, uint64_t timeout_ns, uint64_t* failed) noexcept {
  return vbn_worker_quiet(fabric, 0, timeout_ns, failed);
}

vbn_status vbn_worker_quiet(vbn_fabric* fabric, uint32_t worker, uint64_t timeout_ns,
                            uint64_t* failed) noexcept {
  return abi::guarded([&]() -> vbn_status {
    fabric::OneSided& memory = *abi::workerOf(fabric, worker).memory;
    bool isQuiet = memory.quiet(abi::nanoseconds(timeout_ns), [&] { fabric->drive(worker); });
    if (failed != nullptr) *failed = memory.failed();
    if (isQuiet) return VBN_OK;
    std::string why = "operations of worker " + std::to_string(worker) + " have not ended within " +
                      std::to_string(timeout_ns) +
                      " ns: their peers have not answered yet; call it again";
    return abi::refuse(VBN_FAILED, why.c_str());
  });
}

void vbn_done_sentence(const vbn_done* done, char* text, uint64_t bytes) noexcept {
  quietly([&] { abi::copyText(text, bytes, fromC(abi::need(done, "what is done")).sentence()); });
}

uint32_t vbn_fabric_signals(vbn_fabric* fabric, vbn_signal* signals, uint32_t room) noexcept {
  return vbn_worker_signals(fabric, 0, signals, room);
}

uint32_t vbn_worker_signals(vbn_fabric* fabric, uint32_t worker, vbn_signal* signals,
                            uint32_t room) noexcept {
  uint32_t count = 0;
  quietly([&] {
    abi::WorkerFace& face = abi::workerOf(fabric, worker);
    if (room != 0) abi::need(signals, "the place for the signals");
    fabric->drive(worker);
    count = handOutBatches<fabric::Signal>(
        room, signals, [&](auto batch) { return face.memory->takeSignals(batch); });
  });
  return count;
}
