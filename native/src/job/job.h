// SPDX-License-Identifier: Apache-2.0
//
// A process as one of the ranks of its job, whoever has started that.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "job/membership.h"

namespace verbena::job {

/// Any thread, but awaitEnd(), which one at a time calls.
class Job {
 public:
  /// As the environment says.
  static base::Result<std::unique_ptr<Job>> open(const Variables& variables);

  const Place& place() const { return place_; }
  /// Empty for a program that is alone.
  const std::string& key() const { return key_; }

  base::Result<void> publish(std::span<const std::byte> address);
  base::Result<std::span<const std::byte>> address(uint32_t rank,
                                                   std::chrono::nanoseconds timeout) const;
  base::Result<void> awaitAll(std::chrono::nanoseconds timeout) const;
  /// The next rank that has ended, each once; none within the time.
  std::optional<End> awaitEnd(std::chrono::nanoseconds timeout);
  /// The end with this number, counted from 0 in the order in which this host heard of them. Any
  /// thread; none within the time, or once `stopped` is set and wakeForEnds() called.
  std::optional<End> end(uint32_t number, std::chrono::nanoseconds timeout,
                         const std::atomic<bool>* stopped = nullptr) const;
  void wakeForEnds() const { bootstrap_->table().wakeForEnds(); }

 private:
  explicit Job(Membership membership)
      : place_(std::move(membership.place)),
        key_(std::move(membership.key)),
        bootstrap_(std::move(membership.bootstrap)) {}

  const Place place_;
  const std::string key_;
  const std::unique_ptr<Bootstrap> bootstrap_;
  uint32_t endsTold_ = 0;
};

}  // namespace verbena::job
