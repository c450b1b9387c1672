// SPDX-License-Identifier: Apache-2.0
#include "streams/stream_service.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "base/result.h"
#include "fabric/worker.h"
#include "streams/slice.h"

namespace verbena::streams {

using GivenBack = fabric::ReceiveWindow::GivenBack;

StreamService::StreamService(Works works, fabric::Registered buffers)
    : works_(std::move(works)),
      receives_(works_.receives, works_.options,
                BufferPool(std::move(buffers), works_.options.bufferBytes), counters_),
      incoming_(receives_.count()) {}

std::unique_ptr<fabric::Link> StreamService::newLink(fabric::Worker&, uint32_t place) {
  return std::make_unique<Connection>(works_, *this, place);
}

base::Result<void> StreamService::judge(const connect::NewLink& link) const {
  if (link.peer > connect::kMostGiven) {
    return base::Error{"connect to node " + std::to_string(link.peer), "", EPROTO,
                       "streams are between nodes 0 to " + std::to_string(connect::kMostGiven)};
  }
  if (link.offered == nullptr) return {};
  if (auto terms = Terms::of(link.peer, fabric::QueuePairEnd::termsOf(*link.offered)); !terms) {
    return terms.error();
  }
  if (auto end = fabric::QueuePairEnd::of(link.peer, *link.offered); !end) return end.error();
  return {};
}

base::Error StreamService::noPlace(const connect::NewLink& link) const {
  return {"create a connection to node " + std::to_string(link.peer),
          works_.worker.domain().selection.device.name(), ENOSPC,
          "maxConnections of " + std::to_string(works_.options.maxConnections) +
              " are in use; raise it, or close connections"};
}

// ------------------------------------------------------------------ by whoever polls

size_t StreamService::receive() {
  size_t taken = takeBatch();
  handOut();
  postReceives();
  return taken;
}

void StreamService::drain() {
  while (takeBatch() != 0) {
  }
  handOut();
  postReceives();
}

size_t StreamService::takeBatch() {
  int count = works_.arrivals.poll(batch_);
  if (count < 0) works_.worker.deviceFailed("the receive completion queue has failed");
  if (count <= 0) return 0;
  for (const ibv_wc& each : std::span(batch_).first(static_cast<size_t>(count))) received(each);
  return static_cast<size_t>(count);
}

void StreamService::handOut() {
  if (incoming_.publish()) works_.worker.wakeIfArmed();
}

void StreamService::postReceives() {
  if (int code = receives_.refill(); code != 0 && receives_.posted() == 0) {
    works_.worker.deviceFailed("no receive can be posted: " + base::errorName(code));
  }
}

/// Of whom a completion is, its queue pair says and nothing else.
void StreamService::received(const ibv_wc& done) {
  auto number = static_cast<uint32_t>(done.wr_id);
  auto* connection = static_cast<Connection*>(works_.worker.links().findByQpNum(done.qp_num));
  bool good = done.status == IBV_WC_SUCCESS;
  receives_.arrived(number, good ? done.byte_len : 0);
  if (!good) {
    receives_.discard(number);
    if (connection != nullptr) works_.worker.failedReceive(*connection, done);
  } else if (connection == nullptr || !connection->listens() || !hearReport(*connection, done)) {
    receives_.discard(number);
    counters_.arrivalsDropped.add();
  } else if (done.byte_len == 0) {
    receives_.discard(number);
    counters_.reportsReceived.add();
  } else {
    arrived(*connection, number, done.byte_len);
  }
}

bool StreamService::hearReport(Connection& connection, const ibv_wc& done) {
  Immediate said = Immediate::fromWire(done.imm_data);
  if (done.opcode != IBV_WC_RECV || (done.wc_flags & IBV_WC_WITH_IMM) == 0) {
    works_.worker.nonsense(connection, "it sent something without a report");
  } else if (said.node != connection.peer()) {
    works_.worker.nonsense(connection, "it says that it is node " + std::to_string(said.node));
  } else if (!connection.report(said.givenBack)) {
    works_.worker.nonsense(connection, "it is done with more than was sent to it");
  } else {
    return true;
  }
  return false;
}

void StreamService::arrived(Connection& connection, uint32_t number, uint32_t bytes) {
  Receive& receive = receives_.at(number);
  SliceHeader header{};
  if (bytes >= kSliceHeaderBytes) header = fromWire(receives_.pool().start(receive.buffers[0]));
  bool sense = bytes > kSliceHeaderBytes ? header.placed == 0
                                         : header.placed != 0 && header.placed <= kMostPlaced &&
                                               header.stream != kControlStream;
  bool allowed = connection.receiveWindow().receive();
  if (!sense || !allowed) {
    receives_.discard(number);
    counters_.arrivalsDropped.add();
    works_.worker.nonsense(connection, sense ? "it sent more than its window" : "it sent no slice");
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
  counters_.arrivals.add();
  counters_.arrivalBytes.add(header.placed + bytes - kSliceHeaderBytes);
}

// ------------------------------------------------------------------ by the consumer

size_t StreamService::take(std::span<Arrival> arrivals) {
  size_t count = 0;
  while (count < arrivals.size()) {
    std::optional<uint32_t> number = incoming_.next();
    if (!number) break;
    if (describe(*number, arrivals[count])) {
      count++;
    } else {
      giveBack(*number);
    }
  }
  return count;
}

/// False if the connection has ended.
bool StreamService::describe(uint32_t number, Arrival& arrival) {
  const Receive& receive = receives_.at(number);
  if (at(receive.connection).id() != receive.id) return false;
  const BufferPool& pool = receives_.pool();
  // Field by field: pieces that are not there need not be cleared.
  arrival.connection = receive.id;
  arrival.position = receive.position;
  arrival.stream = receive.stream;
  arrival.receive = number;
  if (receive.placed != 0) {
    arrival.bytes = receive.placed;
    arrival.pieceCount = 0;
    return true;
  }
  arrival.bytes = receive.bytes - kSliceHeaderBytes;
  arrival.pieceCount = receive.bufferCount;
  uint32_t skipped = kSliceHeaderBytes;
  uint32_t left = receive.bytes;
  for (uint32_t i = 0; i < receive.bufferCount; i++) {
    uint32_t filled = std::min(left, pool.bufferBytes());
    arrival.pieces[i] = {pool.start(receive.buffers[i]) + skipped, filled - skipped};
    left -= filled;
    skipped = 0;
  }
  return true;
}

void StreamService::giveBack(uint32_t number) {
  if (number >= receives_.count()) return counters_.doubleReturns.addShared();
  // Read before it is given back: afterwards the receive is somebody else's.
  uint32_t place = receives_.at(number).connection;
  uint32_t generation = receives_.at(number).generation;
  if (!receives_.giveBack(number)) return counters_.doubleReturns.addShared();
  bool due = at(place).receiveWindow().giveBack(generation) == GivenBack::ReportDue;
  if (due) works_.worker.showInterest(place);
  if (receives_.isLow()) works_.worker.wakeIfArmed();
}

}  // namespace verbena::streams
