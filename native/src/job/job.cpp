// SPDX-License-Identifier: Apache-2.0
#include "job/job.h"

#include <cerrno>

#include "base/clock.h"
#include "job/starters.h"

namespace verbena::job {
namespace {

uint64_t deadlineAfter(std::chrono::nanoseconds timeout) {
  return base::monotonicNs() + static_cast<uint64_t>(std::max<int64_t>(timeout.count(), 0));
}

}  // namespace

base::Result<std::unique_ptr<Job>> Job::open(const Variables& variables) {
  auto membership = join(variables);
  if (!membership) return membership.error();
  return std::unique_ptr<Job>(new Job(std::move(*membership)));
}

base::Result<void> Job::publish(std::span<const std::byte> address) {
  if (address.size() <= kMostBytes) return bootstrap_->publish(address);
  return base::Error{"publish the address", "rank " + std::to_string(place_.rank), EMSGSIZE,
                     "it has " + std::to_string(address.size()) + " bytes, and at most " +
                         std::to_string(kMostBytes) + " are passed on"};
}

base::Result<std::span<const std::byte>> Job::address(uint32_t rank,
                                                      std::chrono::nanoseconds timeout) const {
  if (rank < place_.size) return bootstrap_->table().address(rank, deadlineAfter(timeout));
  return base::Error{"learn the address", "rank " + std::to_string(rank), EINVAL,
                     "the job has ranks 0 to " + std::to_string(place_.size - 1)};
}

base::Result<void> Job::awaitAll(std::chrono::nanoseconds timeout) const {
  return bootstrap_->table().awaitAll(deadlineAfter(timeout));
}

std::optional<End> Job::awaitEnd(std::chrono::nanoseconds timeout) {
  std::optional<End> end = this->end(endsTold_, timeout);
  if (end) endsTold_++;
  return end;
}

std::optional<End> Job::end(uint32_t number, std::chrono::nanoseconds timeout,
                            const std::atomic<bool>* stopped) const {
  return bootstrap_->table().end(number, deadlineAfter(timeout), stopped);
}

}  // namespace verbena::job
