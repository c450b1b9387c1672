// SPDX-License-Identifier: Apache-2.0
#include "fabric/completions.h"

#include <span>

#include "base/result.h"
#include "base/survive.h"
#include "verbs/names.h"
#include "verbs/wiring.h"

namespace verbena::fabric {
namespace {

/// What a failed completion says about where to look.
const char* adviceOn(const ibv_wc& done) {
  if (done.vendor_err == verbs::kOtherClusterKey) {
    return "the far side's device has another cluster key, or one of both has none: give all nodes "
           "the same (cluster.key)";
  }
  switch (done.status) {
    case IBV_WC_RETRY_EXC_ERR:
    case IBV_WC_RESP_TIMEOUT_ERR: return "the far side does not answer: it, or the way, has gone";
    case IBV_WC_RNR_RETRY_EXC_ERR:
      return "the far side had no receive posted for too long: raise its receiveWorkRequests";
    case IBV_WC_LOC_PROT_ERR: return "memory was deregistered while requests used it";
    case IBV_WC_REM_ACCESS_ERR:
      return "the far side's device does not allow it: was the key revoked?";
    case IBV_WC_LOC_LEN_ERR: return "a send was longer than this side takes";
    case IBV_WC_REM_INV_REQ_ERR: return "a send was longer than the far side takes";
    case IBV_WC_WR_FLUSH_ERR: return "the queue pair had failed before";
    case IBV_WC_FATAL_ERR: return "the device has failed";
    default: return "see the far side's reason";
  }
}

std::string describe(const ibv_wc& done, const char* what) {
  return std::string(what) + " of queue pair " + std::to_string(done.qp_num) + " failed with " +
         verbs::statusName(done.status) + " (vendor " + std::to_string(done.vendor_err) +
         "): " + adviceOn(done);
}

bool hasEnded(const Link& link) {
  return Link::isOver(link.state());
}

}  // namespace

Completions::Completions(const verbs::CompletionQueue& queue, const verbs::AsyncEvents& events,
                         const LinkTable& links, const std::atomic<uint64_t>& reporting,
                         Counters& counters, Failures& failures)
    : queue_(queue),
      events_(events),
      links_(links),
      reporting_(reporting),
      counters_(counters),
      failures_(failures) {}

size_t Completions::take() {
  if (!isDue()) return 0;
  unseen_ = 0;
  wanted_.store(false, std::memory_order_relaxed);
  int count = queue_.poll(batch_);
  if (count < 0) failures_.deviceFailed("the send completion queue has failed");
  if (count <= 0) return 0;
  for (const ibv_wc& each : std::span(batch_).first(static_cast<size_t>(count))) {
    base::survive([&] { done(each); });  // what memory is wanting for is a sentence
  }
  counters_.completions.add(static_cast<uint64_t>(count));
  return static_cast<size_t>(count);
}

/// What is read too early here is read again in the next round: nothing is ordered by it.
bool Completions::isDue() {
  return reporting_.load(std::memory_order_relaxed) != 0 || ++unseen_ >= kRoundsUnseen ||
         wanted_.load(std::memory_order_relaxed);
}

/// Of whom a completion is, its queue pair says and nothing else.
void Completions::done(const ibv_wc& done) {
  Link* link = links_.findByQpNum(done.qp_num);
  if (link == nullptr) return;
  link->confirm(done.wr_id, done.status);
  if (done.status != IBV_WC_SUCCESS) failed(*link, done, "a request");
}

/// A flush is a consequence. What the device has said of its cause comes first: the first reason is
/// the one that is told.
void Completions::failed(Link& link, const ibv_wc& done, const char* what) {
  if (done.status != IBV_WC_WR_FLUSH_ERR) counters_.failedCompletions.add();
  if (done.status == IBV_WC_RNR_RETRY_EXC_ERR) counters_.receiverNotReady.add();
  if (done.status == IBV_WC_WR_FLUSH_ERR && !hasEnded(link)) takeEvents();
  if (hasEnded(link)) return;
  std::string reason;  // empty where there is no memory for one: the rest of the batch still counts
  base::survive([&] { reason = describe(done, what); });
  failures_.failed(link, reason);
}

void Completions::takeEvents() {
  for (;;) {
    base::Result<std::optional<verbs::AsyncEvent>> event = events_.take();
    if (!event) return failures_.deviceFailed(event.error().sentence());
    if (!*event) return;
    failures_.heard(**event);
  }
}

void Completions::heard(const verbs::AsyncEvent& event) {
  switch (event.type) {
    case IBV_EVENT_DEVICE_FATAL:
    case IBV_EVENT_CQ_ERR:
    case IBV_EVENT_SRQ_ERR:
      failures_.deviceFailed(std::string("the device reported: ") + verbs::eventName(event.type));
      return;
    case IBV_EVENT_QP_FATAL:
    case IBV_EVENT_QP_REQ_ERR:
    case IBV_EVENT_QP_ACCESS_ERR:
    case IBV_EVENT_QP_LAST_WQE_REACHED: break;
    default: return;  // ports come and go: links outlast that, or time out
  }
  Link* link = links_.findByQpNum(event.qpNum);
  if (link == nullptr) return;
  if (event.type == IBV_EVENT_QP_ACCESS_ERR) base::survive([&] { failures_.usedWrongKey(*link); });
  if (event.type == IBV_EVENT_QP_LAST_WQE_REACHED) {
    link->noteLastReceive();
  } else {
    failures_.failed(*link, std::string("the device reported: ") + verbs::eventName(event.type) +
                                " of queue pair " + std::to_string(event.qpNum));
  }
}

}  // namespace verbena::fabric
