// SPDX-License-Identifier: Apache-2.0
//
// One round of waiting: whoever waits for something says so anew in each round, so nothing is
// registered, and nothing can be forgotten to be taken back.
#pragma once

#include <poll.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace verbena::job {

class Poll {
 public:
  /// `ready` is called if one of the events comes, or the far end is gone.
  void watch(int fd, short events, std::function<void()> ready);
  /// Wait no longer than until then, by base::monotonicNs().
  void until(uint64_t deadlineNs);
  /// Waits, and calls those that are ready.
  void wait();

 private:
  std::vector<pollfd> watched_;
  std::vector<std::function<void()>> ready_;
  uint64_t deadlineNs_ = UINT64_MAX;
};

}  // namespace verbena::job
