// SPDX-License-Identifier: Apache-2.0
#include "streams/completions.h"

#include "base/result.h"
#include "base/survive.h"
#include "streams/slice.h"
#include "verbs/names.h"

namespace verbena::streams {
namespace {

/// What a failed completion says about where to look.
const char* adviceOn(ibv_wc_status status) {
  switch (status) {
    case IBV_WC_RETRY_EXC_ERR:
    case IBV_WC_RESP_TIMEOUT_ERR: return "the far side does not answer: it, or the way, has gone";
    case IBV_WC_RNR_RETRY_EXC_ERR:
      return "the far side had no receive posted for too long: raise its receiveWorkRequests";
    case IBV_WC_LOC_PROT_ERR: return "memory was deregistered while sends used it";
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
         "): " + adviceOn(done.status);
}

/// Whether a reason was given already, or none is wanted.
bool hasEnded(const Connection& connection) {
  Connection::State state = connection.state();
  return state == Connection::State::Failed || state == Connection::State::Closing;
}

}  // namespace

Completions::Completions(Works& works, ConnectionTable& connections, SharedReceives& receives,
                         IncomingRing& incoming, Failures& failures)
    : works_(works),
      connections_(connections),
      receives_(receives),
      incoming_(incoming),
      failures_(failures) {}

size_t Completions::take() {
  size_t taken = takeReceives();
  handOut();
  if (sendsDue()) taken += takeSends();
  refill();
  return taken;
}

void Completions::drainReceives() {
  while (takeReceives() != 0) {
  }
  handOut();
  refill();
}

void Completions::handOut() {
  if (incoming_.publish()) works_.waiter->wakeIfArmed();
}

void Completions::refill() {
  if (int code = receives_.refill(); code != 0 && receives_.posted() == 0) {
    failures_.deviceFailed("no receive can be posted: " + base::errorName(code));
  }
}

/// What is read too early here is read again in the next round: nothing is ordered by it.
bool Completions::sendsDue() {
  return works_.signalled.load(std::memory_order_relaxed) != 0 || ++sendsUnseen_ >= kRoundsUnseen ||
         sendsWanted_.load(std::memory_order_relaxed);
}

int Completions::poll(const verbs::CompletionQueue& queue, const char* which) {
  int count = queue.poll(batch_);
  if (count < 0)
    failures_.deviceFailed(std::string("the ") + which + " completion queue has failed");
  return std::max(count, 0);
}

size_t Completions::takeReceives() {
  auto count = static_cast<size_t>(poll(works_.port.receiveQueue, "receive"));
  for (size_t i = 0; i < count; i++) received(batch_[i]);
  return count;
}

size_t Completions::takeSends() {
  sendsUnseen_ = 0;
  sendsWanted_.store(false, std::memory_order_relaxed);
  auto count = static_cast<size_t>(poll(works_.port.sendQueue, "send"));
  for (size_t i = 0; i < count; i++) sent(batch_[i]);
  if (count != 0) works_.counters.sendCompletions.add(count);
  return count;
}

/// Of whom a completion is, its queue pair says and nothing else.
void Completions::received(const ibv_wc& done) {
  auto number = static_cast<uint32_t>(done.wr_id);
  Connection* connection = connections_.findByQpNum(done.qp_num);
  bool good = done.status == IBV_WC_SUCCESS;
  receives_.arrived(number, good ? done.byte_len : 0);
  if (!good) {
    receives_.discard(number);
    if (connection != nullptr) failed(*connection, done, "a receive");
  } else if (connection == nullptr || !connection->listens() || !hearReport(*connection, done)) {
    receives_.discard(number);
    works_.counters.arrivalsDropped.add();
  } else if (done.byte_len == 0) {
    receives_.discard(number);
    works_.counters.reportsReceived.add();
  } else {
    arrived(*connection, number, done.byte_len);
  }
}

bool Completions::hearReport(Connection& connection, const ibv_wc& done) {
  Immediate said = Immediate::fromWire(done.imm_data);
  if (done.opcode != IBV_WC_RECV || (done.wc_flags & IBV_WC_WITH_IMM) == 0) {
    failures_.nonsense(connection, "it sent something without a report");
  } else if (said.node != connection.peer()) {
    failures_.nonsense(connection, "it says that it is node " + std::to_string(said.node));
  } else if (!connection.report(said.givenBack)) {
    failures_.nonsense(connection, "it is done with more than was sent to it");
  } else {
    return true;
  }
  return false;
}

void Completions::arrived(Connection& connection, uint32_t number, uint32_t bytes) {
  Receive& receive = receives_.at(number);
  SliceHeader header{};
  if (bytes >= kSliceHeaderBytes) header = fromWire(receives_.pool().start(receive.buffers[0]));
  bool sense = bytes > kSliceHeaderBytes ? header.placed == 0
                                         : header.placed != 0 && header.placed <= kMostPlaced &&
                                               header.stream != kControlStream;
  bool allowed = connection.receiveWindow().receive();
  if (!sense || !allowed) {
    receives_.discard(number);
    works_.counters.arrivalsDropped.add();
    failures_.nonsense(connection, sense ? "it sent more than its window" : "it sent no slice");
    return;
  }
  receive.connection = connection.place();
  receive.generation = connection.generation();
  receive.id = connection.id();
  receive.stream = header.stream;
  receive.position = header.position;
  receive.placed = header.placed;
  receive.held.store(true, std::memory_order_release);  // pairs with SharedReceives::giveBack()
  incoming_.push(number);
  works_.counters.arrivals.add();
  works_.counters.arrivalBytes.add(header.placed + bytes - kSliceHeaderBytes);
}

void Completions::sent(const ibv_wc& done) {
  Connection* connection = connections_.findByQpNum(done.qp_num);
  if (connection == nullptr) return;
  if (done.status != IBV_WC_SUCCESS) failed(*connection, done, "a send");
  connection->confirm(done.wr_id);
}

/// A flush is a consequence. What the device has said of its cause comes first: the first reason is
/// the one that is told.
void Completions::failed(Connection& connection, const ibv_wc& done, const char* what) {
  if (done.status != IBV_WC_WR_FLUSH_ERR) works_.counters.failedCompletions.add();
  if (done.status == IBV_WC_RNR_RETRY_EXC_ERR) works_.counters.receiverNotReady.add();
  if (done.status == IBV_WC_WR_FLUSH_ERR && !hasEnded(connection)) takeEvents();
  if (hasEnded(connection)) return;
  std::string reason;  // empty where there is no memory for one: the rest of the batch still counts
  base::survive([&] { reason = describe(done, what); });
  failures_.failed(connection, reason);
}

void Completions::takeEvents() {
  for (;;) {
    base::Result<std::optional<verbs::AsyncEvent>> event = works_.port.events.take();
    if (!event) return failures_.deviceFailed(event.error().sentence());
    if (!*event) return;
    heard(**event);
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
    default: return;  // ports come and go: connections outlast that, or time out
  }
  Connection* connection = connections_.findByQpNum(event.qpNum);
  if (connection == nullptr) return;
  if (event.type == IBV_EVENT_QP_LAST_WQE_REACHED) {
    connection->noteLastReceive();
  } else {
    failures_.failed(*connection, std::string("the device reported: ") +
                                      verbs::eventName(event.type) + " of queue pair " +
                                      std::to_string(event.qpNum));
  }
}

}  // namespace verbena::streams
