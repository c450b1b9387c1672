// SPDX-License-Identifier: Apache-2.0
#include "verbs/async_events.h"

#include <cerrno>

#include "base/descriptor.h"

namespace verbena::verbs {
namespace {

AsyncEvent describe(const ibv_async_event& event) {
  AsyncEvent described{.type = event.event_type};
  switch (event.event_type) {
    case IBV_EVENT_QP_FATAL:
    case IBV_EVENT_QP_REQ_ERR:
    case IBV_EVENT_QP_ACCESS_ERR:
    case IBV_EVENT_COMM_EST:
    case IBV_EVENT_SQ_DRAINED:
    case IBV_EVENT_PATH_MIG:
    case IBV_EVENT_PATH_MIG_ERR:
    case IBV_EVENT_QP_LAST_WQE_REACHED:
      described.qp = event.element.qp;
      described.qpNum = event.element.qp->qp_num;
      break;
    case IBV_EVENT_CQ_ERR: described.cq = event.element.cq; break;
    case IBV_EVENT_SRQ_ERR:
    case IBV_EVENT_SRQ_LIMIT_REACHED: described.srq = event.element.srq; break;
    case IBV_EVENT_PORT_ACTIVE:
    case IBV_EVENT_PORT_ERR:
    case IBV_EVENT_LID_CHANGE:
    case IBV_EVENT_PKEY_CHANGE:
    case IBV_EVENT_SM_CHANGE:
    case IBV_EVENT_CLIENT_REREGISTER:
    case IBV_EVENT_GID_CHANGE: described.port = event.element.port_num; break;
    case IBV_EVENT_DEVICE_FATAL:
    case IBV_EVENT_WQ_FATAL: break;
  }
  return described;
}

}  // namespace

base::Result<AsyncEvents> AsyncEvents::of(const Context& context) {
  if (int rc = base::makeNonBlocking(context.get()->async_fd); rc != 0) {
    return base::Error{"make asynchronous events non-blocking", context.name(), rc, ""};
  }
  return AsyncEvents(context.device());
}

base::Result<std::optional<AsyncEvent>> AsyncEvents::take() const {
  ibv_async_event event{};
  if (device_->provider.get_async_event(device_->context.get(), &event) != 0) {
    if (errno == EAGAIN || errno == EWOULDBLOCK) return std::optional<AsyncEvent>{};
    return base::Error{"read an asynchronous event", device_->name, errno, ""};
  }
  // Described before it is acknowledged: until then the object cannot be destroyed.
  AsyncEvent described = describe(event);
  device_->provider.ack_async_event(&event);
  return std::optional<AsyncEvent>{described};
}

bool AsyncEvents::wait(std::chrono::nanoseconds timeout) const {
  return base::waitReadable(fd(), timeout);
}

}  // namespace verbena::verbs
