// SPDX-License-Identifier: Apache-2.0
//
// Symmetric memory of PEs that this process has not mapped: of other hosts, or where mapping is
// switched off. One-sided operations of the fabric, on the same offsets.
#pragma once

#include <verbena/fabric.h>
#include <verbena/job.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "waiting.h"
#include "world.h"

namespace verbena::shmem {

/// Any thread.
class Far {
 public:
  /// A node of this PE, on a device of that name; "" for any. Ends the process with a sentence if
  /// there can be none.
  Far(vbn_job* job, const std::string& device);
  ~Far();
  Far(const Far&) = delete;
  Far& operator=(const Far&) = delete;

  std::string address() const { return vbn_fabric_address(fabric_); }
  /// Lets others reach this PE's symmetric memory; what they have to be told, in hexadecimal.
  std::string share(void* start, size_t bytes);
  /// A PE is reached there.
  void meet(uint32_t pe, const std::string& address, const std::string& key);
  /// Those of its device: VBN_ATOMICS_*.
  uint32_t atomics() const { return vbn_fabric_atomics(fabric_); }
  /// From here on atomics on this PE's own memory go by the device, too. No node has a link with
  /// itself. So this process has a second node, with a link to this one.
  void meetMyself(vbn_job* job, const std::string& device, const std::string& key);

  /// When it returns the source may be used again.
  void put(size_t offset, const void* source, size_t bytes, uint32_t pe);
  /// The destination has it when it returns.
  void get(void* dest, size_t offset, size_t bytes, uint32_t pe);
  /// The destination has it behind settle() or quiet().
  void beginGet(void* dest, size_t offset, size_t bytes, uint32_t pe);
  /// Waits for all gets.
  void settle();
  // Atomics return the former value. The device has these two, of 8 aligned bytes.
  uint64_t fetchAdd(size_t offset, uint32_t pe, uint64_t value);
  uint64_t compareSwap(size_t offset, uint32_t pe, uint64_t expected, uint64_t desired);
  /// Replaces a value by what `next` makes of it.
  template <typename T, typename Next>
  T replace(size_t offset, uint32_t pe, Next next);

  /// Before the process ends: writes a word at all PEs that this process has not mapped, as far as
  /// they are reached within seconds.
  void tryToTellAll(size_t offset, uint64_t value);

  /// Waits until everything has been done at its targets. What is put at one PE is done in the
  /// order in which it was put in any case.
  void quiet();
  void progress();
  /// By a thread that is about to sleep. What comes from far PEs meanwhile wakes the device's own
  /// thread, which leaves it to a thread that polls.
  void standBack();
  /// From here on PEs may go, which is no error any more.
  void beginToLeave() { isLeaving_ = true; }
  /// Waits for what is on its way still.
  void leave();

 private:
  /// Of a node with so many links.
  Far(vbn_job* job, const std::string& device, uint32_t node, uint32_t links, size_t slotBytes);

  struct Peer {
    std::string address;
    vbn_remote* remote = nullptr;
    uint64_t link = 0;
  };
  /// A part of the staging memory, and what is open there. Those of one PE are done in order.
  struct Slot {
    bool isOpen = false;
    void* dest = nullptr;  ///< of a get
    size_t bytes = 0;
  };
  static constexpr size_t kSlotBytes = 64 << 10;
  static constexpr size_t kSlotBytesOfWords = 64;
  static constexpr size_t kSlots = 64;
  static constexpr size_t kLastWord = kSlots;  // behind them, a place of tryToTellAll()

  Peer& linked(uint32_t pe);
  static void mustReach(vbn_status status, uint32_t pe);
  size_t freeSlot();
  /// Of what lies in a slot, or is to come there.
  vbn_operation operationOf(uint32_t kind, size_t slot, const Peer& peer, size_t offset,
                            size_t length) const;
  void post(Peer& peer, uint32_t pe, const vbn_operation& operation);
  void await(size_t slot);
  /// Returns the slot of the last piece; kSlots if there is none.
  size_t beginGetting(void* dest, size_t offset, size_t bytes, uint32_t pe);
  uint32_t takeDone();  // returns how many
  void takeDoneOrRest(Wait& wait);
  void awaitAll();
  uint64_t atomic(uint32_t kind, size_t offset, uint32_t pe, uint64_t operand, uint64_t swap);
  uint64_t word(size_t offset, uint32_t pe);
  std::byte* at(size_t slot) const { return staging_ + slot * slotBytes_; }

  std::recursive_mutex lock_;
  vbn_fabric* fabric_ = nullptr;
  vbn_region* shared_ = nullptr;  // the symmetric memory
  vbn_region* stage_ = nullptr;   // what goes and comes passes through
  std::byte* staging_ = nullptr;
  std::vector<Peer> peers_;
  std::array<Slot, kSlots> slots_{};
  size_t nextSlot_ = 0;
  bool isLeaving_ = false;
  const size_t slotBytes_;
  std::unique_ptr<Far> myself_;  // the second node, by which atomics reach this PE's own memory
  Far* target_ = nullptr;        // of the second one: the first
};

template <typename T, typename Next>
T Far::replace(size_t offset, uint32_t pe, Next next) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  if (myself_ != nullptr && pe == world.me) return myself_->replace<T>(offset, pe, next);
  std::lock_guard guard(lock_);
  size_t aligned = offset & ~size_t{7};
  size_t within = offset - aligned;
  uint64_t before = word(aligned, pe);
  while (true) {
    T value;
    std::memcpy(&value, reinterpret_cast<std::byte*>(&before) + within, sizeof value);
    T changed = next(value);
    uint64_t after = before;
    std::memcpy(reinterpret_cast<std::byte*>(&after) + within, &changed, sizeof changed);
    uint64_t found = compareSwap(aligned, pe, before, after);
    if (found == before) return value;
    before = found;
  }
}

}  // namespace verbena::shmem
