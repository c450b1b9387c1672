// SPDX-License-Identifier: Apache-2.0
//
// Completion queues, polled or waited for.
#pragma once

#include <chrono>
#include <optional>
#include <span>

#include "verbs/device.h"

namespace verbena::verbs {

/// Where armed completion queues report that they have something. Its descriptor never blocks.
class CompletionChannel : public Handle<ibv_comp_channel> {
 public:
  static base::Result<CompletionChannel> create(const Context& context);

  /// For epoll; readable while an event is waiting.
  int fd() const { return get()->fd; }

  /// Takes one event and acknowledges it, so that no completion queue's destruction waits for it.
  /// Returns the cq_context the queue was made with; nothing when no event is waiting. The queue is
  /// no longer armed: arm it again, then poll it once more, and only then wait.
  base::Result<std::optional<void*>> takeEvent() const;

  /// Blocks until an event is waiting or the time is over; negative for no limit.
  bool wait(std::chrono::nanoseconds timeout) const;

 private:
  using Handle::Handle;
};

class CompletionQueue : public Handle<ibv_cq> {
 public:
  /// Without a channel, for polling only. Queues of different vectors are served apart from each
  /// other, as far as the device has so many; one with fewer begins anew.
  static base::Result<CompletionQueue> create(const Context& context, int entries,
                                              uint32_t vector = 0);
  static base::Result<CompletionQueue> create(const Context& context, int entries,
                                              const CompletionChannel& channel, void* cqContext,
                                              uint32_t vector = 0);

  /// Moves up to done.size() completions into `done`; returns how many, or a negative number when
  /// the queue has failed (an overrun, a device that has gone). One thread at a time.
  int poll(std::span<ibv_wc> done) const {
    return ibv_poll_cq(get(), static_cast<int>(done.size()), done.data());
  }

  /// Asks for one event upon the next completion (or the next solicited or failed one). Returns 0
  /// or an errno.
  int arm(bool solicitedOnly = false) const {
    return ibv_req_notify_cq(get(), solicitedOnly ? 1 : 0);
  }

  int entries() const { return get()->cqe; }
  base::Result<void> resize(int entries);

 private:
  using Handle::Handle;
};

}  // namespace verbena::verbs
