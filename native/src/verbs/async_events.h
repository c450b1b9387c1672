// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>

#include "verbs/device.h"

namespace verbena::verbs {

/// One asynchronous event, already acknowledged. The object it is about may have been destroyed
/// meanwhile: pointers are there to be compared, not followed.
struct AsyncEvent {
  bool operator==(const AsyncEvent&) const = default;

  ibv_event_type type;
  const ibv_qp* qp = nullptr;    ///< of an event of a queue pair
  uint32_t qpNum = 0;            ///< likewise
  const ibv_cq* cq = nullptr;    ///< of IBV_EVENT_CQ_ERR
  const ibv_srq* srq = nullptr;  ///< of an event of a shared receive queue
  int port = 0;                  ///< of an event of a port
};

/// The asynchronous events of an open device. Its descriptor never blocks.
class AsyncEvents {
 public:
  static base::Result<AsyncEvents> of(const Context& context);

  AsyncEvents(AsyncEvents&&) noexcept = default;
  AsyncEvents& operator=(AsyncEvents&&) noexcept = default;
  AsyncEvents(const AsyncEvents&) = delete;
  AsyncEvents& operator=(const AsyncEvents&) = delete;

  /// For epoll; readable while an event is waiting.
  int fd() const { return device_->context->async_fd; }

  /// Takes one event; nothing when none is waiting.
  base::Result<std::optional<AsyncEvent>> take() const;

  /// Blocks until an event is waiting or the time is over; negative for no limit.
  bool wait(std::chrono::nanoseconds timeout) const;

 private:
  explicit AsyncEvents(std::shared_ptr<const OpenDevice> device) : device_(std::move(device)) {}

  std::shared_ptr<const OpenDevice> device_;
};

}  // namespace verbena::verbs
