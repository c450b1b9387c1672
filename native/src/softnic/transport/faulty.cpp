// SPDX-License-Identifier: Apache-2.0
#include "softnic/transport/faulty.h"

#include <signal.h>
#include <unistd.h>

#include <new>
#include <utility>

#include "base/clock.h"
#include "host/futex.h"
#include "softnic/device/context.h"
#include "softnic/transport/completer.h"
#include "softnic/transport/retries.h"

namespace verbena::softnic {
namespace {

OperationKind kindOf(const SendRequest& request) {
  if (request.isAtomic()) return OperationKind::Atomic;
  switch (request.opcode) {
    case IBV_WR_RDMA_WRITE:
    case IBV_WR_RDMA_WRITE_WITH_IMM: return OperationKind::Write;
    case IBV_WR_RDMA_READ: return OperationKind::Read;
    default: return OperationKind::Send;
  }
}

/// Refusals follow each other as long as the receiver is said not to be ready.
bool passWhenReady(QueuePair& qp, Fault& fault) {
  uint64_t now = base::monotonicNs();
  if (fault.status == IBV_WC_SUCCESS) {  // the first look: from here on a point in time
    fault.durationNs += now;
    fault.status = IBV_WC_RNR_RETRY_EXC_ERR;
  }
  if (now >= fault.durationNs) {
    fault.action = FaultAction::None;
    return true;
  }
  receiverNotReady(qp, qp.attributes.min_rnr_timer);
  return false;
}

}  // namespace

Fault chooseFault(QueuePair& qp, OperationKind kind) {
  Context& context = qp.owner();
  if (context.faults == nullptr) return {};
  Fault fault = context.faults->choose(kind, qp.faultCounts);
  if (fault.action == FaultAction::NoMemory) throw std::bad_alloc();
  return fault;
}

bool faultLetsPass(QueuePair& qp, SendRequest& request) {
  if (!request.faultChosen) {
    request.faultChosen = true;
    request.fault = chooseFault(qp, kindOf(request));
  }
  Fault& fault = request.fault;
  if (fault.action == FaultAction::None || holdsInTheMiddle(request)) return true;
  if (qp.sends.sent != qp.sends.done) return false;  // what went before completes as it deserves
  switch (fault.action) {
    case FaultAction::Fail: failOldest(qp, fault.status); return false;
    case FaultAction::NotReady: return passWhenReady(qp, fault);
    case FaultAction::Delay:
      fault.action = FaultAction::None;
      pauseSends(qp, base::monotonicNs() + fault.durationNs);
      return false;
    case FaultAction::DeviceFatal: failDevice(qp.owner()); return false;
    case FaultAction::PortDown:
      fault.action = FaultAction::None;
      takePortDown(qp.owner(), fault.durationNs);
      return true;
    default: return true;
  }
}

bool holdsInTheMiddle(const SendRequest& request) {
  if (!request.faultChosen) return false;
  return request.fault.action == FaultAction::Hold || request.fault.action == FaultAction::Stop;
}

FaultPoint takeFaultPoint(QueuePair& qp, SendRequest& request) {
  FaultPoint point;
  if (!holdsInTheMiddle(request)) return point;
  point.fault_ = std::exchange(request.fault, {});
  point.changes_ = &qp.owner().faultChanges;
  point.seen_ = point.changes_->load(std::memory_order_relaxed);  // changes under the lock
  return point;
}

void FaultPoint::reach() const {
  if (fault_.action == FaultAction::Stop) kill(getpid(), SIGSTOP);
  if (fault_.action != FaultAction::Hold) return;
  uint64_t end = base::monotonicNs() + fault_.durationNs;
  for (uint64_t now = 0; (now = base::monotonicNs()) < end;) {
    // relaxed: it says nothing but that we are to go on
    if (changes_->load(std::memory_order_relaxed) != seen_) return;
    host::futexWait(*changes_, seen_, static_cast<int64_t>(end - now));
  }
}

void failDevice(Context& context) {
  if (!context.ports.fatalRaised.load(std::memory_order_relaxed)) {
    context.raiseFatal();
    context.ports.fatalRaised.store(true, std::memory_order_relaxed);
  }
  context.ports.forEach([&](Context& other) {
    if (&other == &context) return;
    other.failureDue.store(Context::Failure::Told, std::memory_order_relaxed);
    other.service.ring();
  });
  failPort(context);
}

void failPort(Context& context) {
  for (QueuePair* qp : context.qps) {
    if (qp != nullptr && qp->state != IBV_QPS_RESET) enterError(*qp);
  }
}

void takePortDown(Context& context, uint64_t durationNs) {
  context.portUpAtNs = base::monotonicNs() + durationNs;
  if (context.portUp) {
    context.raisePort(IBV_EVENT_PORT_ERR);
    context.tellsOfPort = true;
  }
  context.portUp = false;
  context.service.wake();
  context.ports.forEach([&](Context& other) {
    if (&other == &context) return;
    other.downUntilNs.store(context.portUpAtNs, std::memory_order_relaxed);
    other.service.ring();
  });
}

void checkPort(Context& context, uint64_t now) {
  if (context.downUntilNs.load(std::memory_order_relaxed) != 0) {
    context.portUpAtNs = context.downUntilNs.exchange(0, std::memory_order_relaxed);
    context.portUp = false;
  }
  if (context.portUp || now < context.portUpAtNs) return;
  context.portUp = true;
  if (std::exchange(context.tellsOfPort, false)) context.raisePort(IBV_EVENT_PORT_ACTIVE);
}

bool setFaults(ibv_context* handle, std::string_view text, std::string& error) {
  std::optional<FaultScript> script = FaultScript::parse(text, error);
  if (!script) return false;
  Ports& ports = contextOf(handle).ports;
  std::lock_guard changing(ports.changes);
  ports.forEach([&](Context& port) {
    std::lock_guard guard(port.lock);
    port.faults = std::make_unique<FaultScript>(*script);
    for (QueuePair* qp : port.qps) {
      if (qp != nullptr) qp->faultCounts.ofRule.clear();
    }
    port.faultChanges.fetch_add(1, std::memory_order_relaxed);
    host::futexWake(port.faultChanges);
  });
  return true;
}

}  // namespace verbena::softnic
