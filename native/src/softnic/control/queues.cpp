// SPDX-License-Identifier: Apache-2.0
//
// Channels, completion queues, shared receive queues, asynchronous events.
#include <cerrno>

#include "softnic/control/control.h"
#include "softnic/device/context.h"
#include "softnic/device/limits.h"
#include "softnic/memory/no_memory.h"

namespace verbena::softnic {
namespace {

/// The kinds of objects an event can be about, and how its taking and acknowledging is counted.
template <typename OnQp, typename OnCq, typename OnSrq>
void onElement(const ibv_async_event& event, OnQp onQp, OnCq onCq, OnSrq onSrq) {
  switch (event.event_type) {
    case IBV_EVENT_QP_FATAL:
    case IBV_EVENT_QP_REQ_ERR:
    case IBV_EVENT_QP_ACCESS_ERR:
    case IBV_EVENT_COMM_EST:
    case IBV_EVENT_SQ_DRAINED:
    case IBV_EVENT_QP_LAST_WQE_REACHED: return onQp(*static_cast<QueuePair*>(event.element.qp));
    case IBV_EVENT_CQ_ERR: return onCq(*static_cast<CompletionQueue*>(event.element.cq));
    case IBV_EVENT_SRQ_ERR:
    case IBV_EVENT_SRQ_LIMIT_REACHED:
      return onSrq(*static_cast<SharedReceiveQueue*>(event.element.srq));
    default: return;
  }
}

template <typename Object>
void initWaiting(Object& object) {
  pthread_mutex_init(&object.mutex, nullptr);
  pthread_cond_init(&object.cond, nullptr);
}

}  // namespace

ibv_comp_channel* createCompChannel(ibv_context* context) {
  auto channel = orNoMemory<std::unique_ptr<CompletionChannel>>(
      nullptr, [] { return std::make_unique<CompletionChannel>(); });
  if (channel == nullptr || !channel->events.open()) return nullptr;
  channel->context = context;
  channel->fd = channel->events.fd();
  channel->refcnt = 0;
  return channel.release();
}

int destroyCompChannel(ibv_comp_channel* channel) {
  {
    std::lock_guard guard(contextOf(channel->context).lock);
    if (channel->refcnt != 0) return EBUSY;
  }
  delete static_cast<CompletionChannel*>(channel);
  return 0;
}

ibv_cq* createCq(ibv_context* handle, int entries, void* cqContext, ibv_comp_channel* channel,
                 int vector) {
  bool known = vector >= 0 && static_cast<uint32_t>(vector) < kCompletionVectors;
  if (entries < 1 || static_cast<uint32_t>(entries) > kMaxCompletions || !known) {
    errno = EINVAL;
    return nullptr;
  }
  Context* home = contextOf(handle).ports.ofVector(static_cast<uint32_t>(vector));
  if (home == nullptr) return nullptr;
  auto cq = orNoMemory<std::unique_ptr<CompletionQueue>>(nullptr, [&] {
    auto made = std::make_unique<CompletionQueue>();
    made->allocate(static_cast<uint32_t>(entries));
    return made;
  });
  if (cq == nullptr) return nullptr;
  cq->context = handle;
  cq->home = home;
  cq->channel = channel;
  cq->cq_context = cqContext;
  cq->cqe = entries;
  initWaiting(*cq);
  std::lock_guard guard(contextOf(handle).lock);
  if (channel != nullptr) channel->refcnt++;
  return cq.release();
}

int resizeCq(ibv_cq* handle, int entries) {
  if (entries < 1 || static_cast<uint32_t>(entries) > kMaxCompletions) return EINVAL;
  auto& cq = *static_cast<CompletionQueue*>(handle);
  std::lock_guard guard(cq.home->lock);
  auto held = cq.use.hold();
  return orNoMemory(ENOMEM, [&] { return cq.resize(entries) ? 0 : EINVAL; });
}

int destroyCq(ibv_cq* handle) {
  auto& cq = *static_cast<CompletionQueue*>(handle);
  Context& context = contextOf(cq.context);
  {
    std::lock_guard guard(cq.home->lock);
    if (cq.users != 0) return EBUSY;
    withdrawEvents(context.asyncEvents, &cq);
    if (cq.shared() != nullptr) {
      cq.shared()->events.withdraw([&](const CompletionQueue* other) { return other == &cq; });
    }
  }
  waitForAcknowledged(cq, cq.comp_events_completed, cq.completionEventsTaken);
  waitForAcknowledged(cq, cq.async_events_completed, cq.asyncEventsTaken);
  std::lock_guard guard(context.lock);
  if (cq.channel != nullptr) cq.channel->refcnt--;
  delete &cq;
  return 0;
}

int getCqEvent(ibv_comp_channel* handle, ibv_cq** cq, void** cqContext) {
  auto& channel = *static_cast<CompletionChannel*>(handle);
  std::optional<CompletionQueue*> taken =
      channel.events.take([](CompletionQueue* of) { countTaken(*of, of->completionEventsTaken); });
  if (!taken) return -1;
  *cq = *taken;
  *cqContext = (*taken)->cq_context;
  return 0;
}

void ackCqEvents(ibv_cq* cq, unsigned int count) {
  acknowledge(*cq, cq->comp_events_completed, count);
}

ibv_srq* createSrq(ibv_pd* pd, ibv_srq_init_attr* attributes) {
  const ibv_srq_attr& wanted = attributes->attr;
  if (wanted.max_wr > kMaxWorkRequests || wanted.max_sge > kMaxSge) {
    errno = EINVAL;
    return nullptr;
  }
  auto srq = orNoMemory<std::unique_ptr<SharedReceiveQueue>>(
      nullptr, [&] { return std::make_unique<SharedReceiveQueue>(wanted.max_wr, wanted.max_sge); });
  if (srq == nullptr) return nullptr;
  srq->context = pd->context;
  srq->home = &contextOf(pd->context);
  srq->srq_context = attributes->srq_context;
  srq->pd = pd;
  initWaiting(*srq);
  static_cast<ProtectionDomain*>(pd)->users++;
  return srq.release();
}

int modifySrq(ibv_srq* handle, ibv_srq_attr* attributes, int mask) {
  auto& srq = *static_cast<SharedReceiveQueue*>(handle);
  std::unique_lock guard = lockHome(srq);
  auto held = srq.use.hold();
  if ((mask & ~IBV_SRQ_LIMIT) != 0) return EINVAL;  // the length is fixed
  if ((mask & IBV_SRQ_LIMIT) == 0) return 0;
  if (attributes->srq_limit > srq.queue.capacity()) return EINVAL;
  srq.limit = attributes->srq_limit;
  return 0;
}

int querySrq(ibv_srq* handle, ibv_srq_attr* attributes) {
  auto& srq = *static_cast<SharedReceiveQueue*>(handle);
  std::unique_lock guard = lockHome(srq);
  auto held = srq.use.hold();
  *attributes = {srq.queue.capacity(), srq.queue.maxSge(), srq.limit};
  return 0;
}

int destroySrq(ibv_srq* handle) {
  auto& srq = *static_cast<SharedReceiveQueue*>(handle);
  Context& context = contextOf(srq.context);
  {
    std::unique_lock guard = lockHome(srq);
    if (srq.users != 0) return EBUSY;
    withdrawEvents(context.asyncEvents, &srq);
  }
  waitForAcknowledged(srq, srq.events_completed, srq.asyncEventsTaken);
  static_cast<ProtectionDomain*>(srq.pd)->users--;
  delete &srq;
  return 0;
}

int getAsyncEvent(ibv_context* handle, ibv_async_event* event) {
  std::optional<ibv_async_event> taken =
      contextOf(handle).asyncEvents.take([](const ibv_async_event& of) {
        onElement(
            of, [](QueuePair& qp) { countTaken(qp, qp.asyncEventsTaken); },
            [](CompletionQueue& cq) { countTaken(cq, cq.asyncEventsTaken); },
            [](SharedReceiveQueue& srq) { countTaken(srq, srq.asyncEventsTaken); });
      });
  if (!taken) return -1;
  *event = *taken;
  return 0;
}

void ackAsyncEvent(ibv_async_event* event) {
  onElement(
      *event, [](QueuePair& qp) { acknowledge(qp, qp.events_completed, 1); },
      [](CompletionQueue& cq) { acknowledge(cq, cq.async_events_completed, 1); },
      [](SharedReceiveQueue& srq) { acknowledge(srq, srq.events_completed, 1); });
}

}  // namespace verbena::softnic
