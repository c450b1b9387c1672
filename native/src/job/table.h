// SPDX-License-Identifier: Apache-2.0
//
// What is known of a job's ranks on one host: their addresses, and who has ended. One process, the
// host's agent, writes; ranks map the same memory and read.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "host/futex.h"
#include "job/contract.h"

namespace verbena::job {

/// How a rank has ended: its status as waitpid() gives it.
struct End {
  uint32_t rank = 0;
  int status = 0;

  /// Of what a stream says; none if waitpid() gives no such status.
  static std::optional<End> of(uint32_t rank, uint32_t status);

  bool failed() const { return status != 0; }
  /// Its exit status, or 128 and the signal's number, as shells have it.
  int exitStatus() const;
  /// "ended with status 3", "was ended by signal 9 (SIGKILL)"
  std::string text() const;
};

class Table {
 public:
  static size_t bytesFor(uint32_t size);

  /// Of memory that is zero, which it is to fill, and which outlives it.
  static Table begin(void* memory, uint32_t size);
  /// Of memory that begin() has filled; none if that is not so, or it is shorter than it says.
  static std::optional<Table> of(void* memory, size_t bytes);

  uint32_t size() const { return header_->size; }

  // By the writer alone.

  void publish(uint32_t rank, std::span<const std::byte> address);
  /// How it ended. Who waits for its address is told that none will come.
  void end(const End& end);
  bool hasPublished(uint32_t rank) const;
  bool hasEnded(uint32_t rank) const;

  // By anybody.

  /// Whether all have published.
  bool isComplete() const { return header_->published.load(std::memory_order_acquire) == size(); }
  /// What a rank has published. Waits until it has, at most until `deadlineNs` of monotonicNs().
  /// Fails with ETIMEDOUT, or at once if the rank has ended without.
  base::Result<std::span<const std::byte>> address(uint32_t rank, uint64_t deadlineNs) const;
  /// Waits until all have published. Fails likewise, naming who has not.
  base::Result<void> awaitAll(uint64_t deadlineNs) const;
  /// The end with this number, counted from 0 in the order in which this host heard of them. Waits
  /// for it; none if there is none within the time, or once `stopped` is set and wakeForEnds()
  /// called, again and again until this has returned: a wake does not last.
  std::optional<End> end(uint32_t number, uint64_t deadlineNs,
                         const std::atomic<bool>* stopped = nullptr) const;
  void wakeForEnds() const { host::futexWake(header_->ended); }

 private:
  struct Header {
    uint64_t magic;
    uint32_t size;
    std::atomic<uint32_t> published;
    std::atomic<uint32_t> ended;
    std::atomic<uint32_t> settled;  ///< kAll once all have published, kNotAll if one never will
    uint32_t reserved[10];
  };
  static_assert(sizeof(Header) == 64);
  /// `state`: 0, then its bytes and 1, or kNever. `status` holds once `hasEnded` is 1.
  struct alignas(64) Slot {
    std::atomic<uint32_t> state;
    std::atomic<uint32_t> hasEnded;
    std::atomic<int32_t> status;
    uint32_t reserved;
    std::byte bytes[kMostBytes];
  };
  static_assert(sizeof(Slot) == 512);

  explicit Table(void* memory) : header_(static_cast<Header*>(memory)) {}
  std::atomic<uint32_t>* order() const;
  Slot& slot(uint32_t rank) const;
  base::Error neverPublished(uint32_t rank) const;
  std::string missing() const;

  Header* header_;
};

}  // namespace verbena::job
