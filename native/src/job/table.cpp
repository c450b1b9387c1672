// SPDX-License-Identifier: Apache-2.0
#include "job/table.h"

#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace verbena::job {
namespace {

constexpr uint64_t kMagic = 0x32'42'4F'4A'4E'42'56'01;
constexpr uint32_t kNever = UINT32_MAX;
constexpr uint32_t kAll = 1;
constexpr uint32_t kNotAll = 2;
constexpr size_t kNamed = 4;
constexpr uint32_t kGreatestStatus = 0xFFFF;  ///< of those that waitpid() gives of what has ended

size_t orderBytes(uint32_t size) {
  return (size * sizeof(uint32_t) + 63) / 64 * 64;
}

/// Sleeps while the word is `expected`. False once the deadline is over.
bool sleepWhile(std::atomic<uint32_t>& word, uint32_t expected, uint64_t deadlineNs) {
  uint64_t now = base::monotonicNs();
  if (now >= deadlineNs) return false;
  host::futexWait(word, expected,
                  static_cast<int64_t>(std::min<uint64_t>(deadlineNs - now, INT64_MAX)));
  return true;
}

}  // namespace

std::optional<End> End::of(uint32_t rank, uint32_t status) {
  auto given = static_cast<int>(status);
  bool isEnd = status <= kGreatestStatus && (WIFEXITED(given) || WIFSIGNALED(given));
  return isEnd ? std::optional(End{rank, given}) : std::nullopt;
}

int End::exitStatus() const {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string End::text() const {
  if (!WIFSIGNALED(status)) return "ended with status " + std::to_string(WEXITSTATUS(status));
  int signal = WTERMSIG(status);
  const char* name = sigabbrev_np(signal);
  std::string text = "was ended by signal " + std::to_string(signal);
  return name != nullptr ? text + " (SIG" + name + ")" : text;
}

size_t Table::bytesFor(uint32_t size) {
  return sizeof(Header) + orderBytes(size) + size * sizeof(Slot);
}

Table Table::begin(void* memory, uint32_t size) {
  Table table(memory);
  table.header_->size = size;
  table.header_->magic = kMagic;
  return table;
}

std::optional<Table> Table::of(void* memory, size_t bytes) {
  if (bytes < sizeof(Header)) return std::nullopt;
  Table table(memory);
  uint32_t size = table.header_->size;
  bool good = table.header_->magic == kMagic && size > 0 && size <= kMostRanks;
  if (!good || bytes < bytesFor(size)) return std::nullopt;
  return table;
}

std::atomic<uint32_t>* Table::order() const {
  return reinterpret_cast<std::atomic<uint32_t>*>(header_ + 1);
}

Table::Slot& Table::slot(uint32_t rank) const {
  std::byte* slots = reinterpret_cast<std::byte*>(header_ + 1) + orderBytes(header_->size);
  return reinterpret_cast<Slot*>(slots)[rank];
}

void Table::publish(uint32_t rank, std::span<const std::byte> address) {
  Slot& slot = this->slot(rank);
  if (slot.state.load(std::memory_order_relaxed) != 0) return;
  std::copy(address.begin(), address.end(), slot.bytes);
  // release pairs with the acquire in address(): who sees the length sees the bytes
  slot.state.store(static_cast<uint32_t>(address.size()) + 1, std::memory_order_release);
  host::futexWake(slot.state);
  if (header_->published.fetch_add(1, std::memory_order_acq_rel) + 1 < header_->size) return;
  // release pairs with the acquire in awaitAll()
  header_->settled.store(kAll, std::memory_order_release);
  host::futexWake(header_->settled);
}

void Table::end(const End& end) {
  Slot& slot = this->slot(end.rank);
  if (slot.hasEnded.load(std::memory_order_relaxed) != 0) return;
  uint32_t ended = header_->ended.load(std::memory_order_relaxed);
  order()[ended].store(end.rank, std::memory_order_relaxed);
  slot.status.store(end.status, std::memory_order_relaxed);
  // release pairs with the acquire in hasEnded()
  slot.hasEnded.store(1, std::memory_order_release);
  // release pairs with the acquire in end(number): who sees the count sees who it was, and how
  header_->ended.store(ended + 1, std::memory_order_release);
  host::futexWake(header_->ended);
  if (slot.state.load(std::memory_order_relaxed) != 0) return;
  // release pairs with the acquires in address() and awaitAll(), which then read how it ended
  slot.state.store(kNever, std::memory_order_release);
  host::futexWake(slot.state);
  header_->settled.store(kNotAll, std::memory_order_release);
  host::futexWake(header_->settled);
}

bool Table::hasPublished(uint32_t rank) const {
  uint32_t state = slot(rank).state.load(std::memory_order_acquire);
  return state != 0 && state != kNever;
}

bool Table::hasEnded(uint32_t rank) const {
  return slot(rank).hasEnded.load(std::memory_order_acquire) != 0;
}

base::Error Table::neverPublished(uint32_t rank) const {
  int status = slot(rank).status.load(std::memory_order_relaxed);
  return base::Error{"learn the address", "rank " + std::to_string(rank), 0,
                     "it " + End{rank, status}.text() + " before it published one"};
}

base::Result<std::span<const std::byte>> Table::address(uint32_t rank, uint64_t deadlineNs) const {
  Slot& slot = this->slot(rank);
  for (;;) {
    uint32_t state = slot.state.load(std::memory_order_acquire);
    if (state == kNever) return neverPublished(rank);
    if (state > kMostBytes + 1) {
      return base::Error{"learn the address", "rank " + std::to_string(rank), EPROTO, ""};
    }
    if (state != 0) return std::span<const std::byte>(slot.bytes, state - 1);
    if (!sleepWhile(slot.state, 0, deadlineNs)) {
      return base::Error{"learn the address", "rank " + std::to_string(rank), ETIMEDOUT,
                         "it has not published one"};
    }
  }
}

base::Result<void> Table::awaitAll(uint64_t deadlineNs) const {
  for (;;) {
    uint32_t settled = header_->settled.load(std::memory_order_acquire);
    if (settled == kAll) return {};
    if (settled == kNotAll) break;
    if (!sleepWhile(header_->settled, 0, deadlineNs)) {
      return base::Error{"learn all addresses", "", ETIMEDOUT, missing()};
    }
  }
  for (uint32_t rank = 0; rank < size(); rank++) {
    if (slot(rank).state.load(std::memory_order_acquire) == kNever) return neverPublished(rank);
  }
  return base::Error{"learn all addresses", "", EPROTO, ""};
}

std::string Table::missing() const {
  std::string names;
  size_t count = 0;
  for (uint32_t rank = 0; rank < size(); rank++) {
    if (hasPublished(rank)) continue;
    if (count < kNamed) names += (count == 0 ? "" : ", ") + std::to_string(rank);
    count++;
  }
  if (count > kNamed) names += " and " + std::to_string(count - kNamed) + " more";
  return std::string(count == 1 ? "rank " : "ranks ") + names + " of " + std::to_string(size()) +
         (count == 1 ? " has not published one" : " have not published one");
}

std::optional<End> Table::end(uint32_t number, uint64_t deadlineNs,
                              const std::atomic<bool>* stopped) const {
  if (number >= size()) return std::nullopt;
  for (;;) {
    uint32_t ended = header_->ended.load(std::memory_order_acquire);
    if (number < ended) break;
    if (stopped != nullptr && stopped->load(std::memory_order_acquire)) return std::nullopt;
    if (!sleepWhile(header_->ended, ended, deadlineNs)) return std::nullopt;
  }
  uint32_t rank = order()[number].load(std::memory_order_relaxed);
  if (rank >= size()) return std::nullopt;
  return End{rank, slot(rank).status.load(std::memory_order_relaxed)};
}

}  // namespace verbena::job
