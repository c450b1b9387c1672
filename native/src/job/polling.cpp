// SPDX-License-Identifier: Apache-2.0
#include "job/polling.h"

#include <algorithm>
#include <climits>

#include "base/clock.h"

namespace verbena::job {

void Poll::watch(int fd, short events, std::function<void()> ready) {
  watched_.push_back({fd, events, 0});
  ready_.push_back(std::move(ready));
}

void Poll::until(uint64_t deadlineNs) {
  deadlineNs_ = std::min(deadlineNs_, deadlineNs);
}

void Poll::wait() {
  int timeoutMs = -1;
  if (deadlineNs_ != UINT64_MAX) {
    uint64_t now = base::monotonicNs();
    uint64_t leftMs = deadlineNs_ <= now ? 0 : (deadlineNs_ - now) / base::kNsPerMs + 1;
    timeoutMs = static_cast<int>(std::min<uint64_t>(leftMs, INT_MAX));
  }
  if (::poll(watched_.data(), watched_.size(), timeoutMs) <= 0) return;
  for (size_t i = 0; i < watched_.size(); i++) {
    if (watched_[i].revents != 0) ready_[i]();
  }
}

}  // namespace verbena::job
