// SPDX-License-Identifier: Apache-2.0
#include "streams/stream_service.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "base/result.h"
#include "base/survive.h"
#include "fabric/worker.h"
#include "streams/slice.h"

namespace verbena::streams {

using GivenBack = fabric::ReceiveWindow::GivenBack;

namespace {

/// A send has its bytes with it, or says how many of a lane were placed before.
bool isSlice(const SliceHeader& header, uint32_t bytes) {
  if (bytes > kSliceHeaderBytes) return header.placed == 0;
  return header.placed != 0 && header.placed <= kMostPlaced && header.stream != kControlStream;
}

}  // namespace

StreamService::StreamService(Works works)
    : works_(std::move(works)),
      receives_(works_.receives, works_.options, works_.limits, counters_),
      incoming_(receives_.most()) {
  reports_.reserve(receives_.most());
  growths_.reserve(works_.options.maxConnections);
}

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

// ------------------------------------------------------------------ what is promised

base::Result<uint32_t> StreamService::promise() {
  uint32_t window = works_.grants->take();
  base::Result<void> covered = cover();
  if (covered) return window;
  works_.grants->giveBack(window);
  return covered.error();
}

/// Memory is made ready before anybody has to wait for it.
base::Result<void> StreamService::cover() {
  const fabric::Domain& domain = works_.worker.domain();
  uint64_t promised = works_.grants->promised();
  auto refused = [&](int code, const std::string& why) {
    return base::Error{"post " + std::to_string(promised) + " receives",
                       domain.selection.device.name(), code, why};
  };
  if (promised > receives_.most()) {
    return refused(ENOSPC, "its queue has room for " + std::to_string(receives_.most()) +
                               "; lower maxConnections or window");
  }
  std::vector<fabric::Registered> slabs;
  // One slab more than is promised: spare ones are what is posted in chains.
  uint64_t wanted = std::min<uint64_t>(promised + receives_.slabReceives(), receives_.most());
  for (uint64_t there = receives_.capacity(); there < wanted; there += receives_.slabReceives()) {
    auto slab = fabric::Registered::allocate(domain, receives_.slabBytes());
    if (!slab) return slab.error();
    slabs.push_back(std::move(*slab));
  }
  int code = 0;
  works_.worker.betweenRounds([&] {
    for (fabric::Registered& slab : slabs) receives_.add(std::move(slab));
    code = refill();
  });
  return code == 0 ? base::Result<void>() : refused(code, "");
}

void StreamService::takeBack(uint32_t window, uint32_t stillHeld) {
  works_.grants->giveBack(window);
  late_ += stillHeld;
}

void StreamService::tend() {
  if (!coverDue_.exchange(false, std::memory_order_relaxed)) return;
  // Where there is no memory windows stay as they are.
  base::survive([&] { static_cast<void>(cover()); });
}

/// What consumers hold of former connections is posted for nobody.
int StreamService::refill() {
  if (!growths_.empty()) grantGrowth();
  uint64_t needed = std::min<uint64_t>(works_.grants->promised() + late_, receives_.capacity());
  receives_.need(static_cast<uint32_t>(needed));
  int code = receives_.refill();
  if (!growths_.empty()) growWindows();
  tellReturned();
  if (!reports_.empty()) tellReports();
  return code;
}

/// By as much as there is memory for: more of it is not made while somebody polls.
void StreamService::grantGrowth() {
  for (Growth& growth : growths_) {
    uint32_t window = at(growth.connection).receiveWindow().size();
    uint64_t capacity = receives_.capacity() - std::min(receives_.capacity(), late_);
    growth.more = works_.grants->grow(window, capacity);
  }
  coverDue_.store(true, std::memory_order_relaxed);
}

/// Their receives are posted; if the device has refused them nothing has grown.
void StreamService::growWindows() {
  for (const Growth& growth : growths_) {
    if (growth.more == 0) continue;
    if (receives_.areThere()) {
      at(growth.connection).receiveWindow().grow(growth.more);
      works_.worker.showInterest(growth.connection);
    } else {
      works_.grants->shrink(growth.more);
    }
  }
  growths_.clear();
}

void StreamService::tellReturned() {
  for (const Returned& some : receives_.returned()) {
    fabric::ReceiveWindow& window = at(some.connection).receiveWindow();
    switch (window.giveBack(some.generation, some.count)) {
      case GivenBack::Late: late_ -= some.count; break;
      case GivenBack::Counted: break;
      case GivenBack::ReportDue: works_.worker.showInterest(some.connection); break;
    }
  }
}

/// A far side that has room from here on finds its own report taken: what it sends then says so.
void StreamService::tellReports() {
  for (const Report& report : reports_) {
    Connection& connection = at(report.connection);
    if (connection.receiveWindow().giveBack(report.generation) == GivenBack::Late) {
      late_--;
    } else {
      connection.hearReport(report.done);
    }
  }
  reports_.clear();
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
  // Mostly several come of one queue pair, and no link goes before the batch is done.
  uint32_t qpNum = 0;
  Connection* connection = nullptr;
  for (const ibv_wc& each : std::span(batch_).first(static_cast<size_t>(count))) {
    if (each.qp_num != qpNum) connection = findByQpNum(qpNum = each.qp_num);
    received(connection, each);
  }
  return static_cast<size_t>(count);
}

void StreamService::handOut() {
  if (incoming_.publish()) works_.worker.wakeIfArmed();
}

void StreamService::postReceives() {
  if (int code = refill(); code != 0 && receives_.posted() == 0) {
    works_.worker.deviceFailed("no receive can be posted: " + base::errorName(code));
  }
}

/// Of whom a completion is, its queue pair says and nothing else.
Connection* StreamService::findByQpNum(uint32_t qpNum) const {
  fabric::Link* whose = works_.worker.links().findByQpNum(qpNum);
  // The device may have given another service the number of a queue pair that has ended.
  bool isOurs = whose != nullptr && &whose->service() == this;
  return isOurs ? static_cast<Connection*>(whose) : nullptr;
}

void StreamService::received(Connection* connection, const ibv_wc& done) {
  auto number = static_cast<uint32_t>(done.wr_id);
  bool good = done.status == IBV_WC_SUCCESS;
  receives_.arrived(number, good ? done.byte_len : 0);
  if (!good) {
    receives_.discard(number);
    if (connection != nullptr) works_.worker.failedReceive(*connection, done);
    return;
  }
  bool isHeard = connection != nullptr && connection->listens();
  if (!isHeard || !hear(*connection, number, done)) {
    receives_.discard(number);
    counters_.arrivalsDropped.add();
  }
}

/// False if it makes no sense, of which the connection fails.
bool StreamService::hear(Connection& connection, uint32_t number, const ibv_wc& done) {
  fabric::Worker& worker = works_.worker;
  Immediate said = Immediate::fromWire(done.imm_data);
  std::optional<uint64_t> report = connection.readReport(said.givenBack);
  SliceHeader header{};
  if (done.byte_len >= kSliceHeaderBytes) header = fromWire(receives_.start(number));
  if (done.opcode != IBV_WC_RECV || (done.wc_flags & IBV_WC_WITH_IMM) == 0) {
    worker.nonsense(connection, "it sent something without a report");
  } else if (said.node != connection.peer()) {
    worker.nonsense(connection, "it says that it is node " + std::to_string(said.node));
  } else if (!report) {
    worker.nonsense(connection, "it is done with more than was sent to it");
  } else if (done.byte_len != 0 && !isSlice(header, done.byte_len)) {
    worker.nonsense(connection, "it sent no slice");
  } else if (!takesOne(connection, said)) {
    worker.nonsense(connection, "it sent more than its window");
  } else if (done.byte_len == 0) {
    noteReport(connection, number, *report);
    return true;
  } else {
    connection.hearReport(*report);
    arrived(connection, number, header);
    return true;
  }
  return false;
}

/// A send has come that takes one receive of the window, which may be too small for what comes.
bool StreamService::takesOne(Connection& connection, Immediate said) {
  fabric::ReceiveWindow& window = connection.receiveWindow();
  if (!window.receive()) return false;
  bool isTooSmall = window.size() < works_.grants->most() &&
                    connection.windowUse().isTooSmall(window.size(), said.waits);
  if (isTooSmall) wishForGrowth(connection);
  return true;
}

/// Once in a round, however often it is found too small.
void StreamService::wishForGrowth(const Connection& connection) {
  auto same = [&](const Growth& growth) { return growth.connection == connection.place(); };
  if (std::ranges::none_of(growths_, same)) growths_.push_back({connection.place(), 0});
}

/// It counts when its receive has been posted again, which the next send to the far side tells.
void StreamService::noteReport(const Connection& connection, uint32_t number, uint64_t done) {
  receives_.discard(number);
  counters_.reportsReceived.add();
  reports_.push_back({connection.place(), connection.generation(), done});
}

void StreamService::arrived(Connection& connection, uint32_t number, const SliceHeader& header) {
  Receive& receive = receives_.at(number);
  receive.connection = connection.place();
  receive.generation = connection.generation();
  receive.id = connection.id();
  receive.stream = header.stream;
  receive.position = header.position;
  receive.placed = header.placed;
  receive.held.store(true, std::memory_order_release);  // pairs with SharedReceives::giveBack()
  incoming_.push(number);
  counters_.arrivals.add();
  counters_.arrivalBytes.add(header.placed + receive.bytes - kSliceHeaderBytes);
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
      giveBack(std::span(&*number, 1));
    }
  }
  return count;
}

/// False if the connection has ended.
bool StreamService::describe(uint32_t number, Arrival& arrival) {
  const Receive& receive = receives_.at(number);
  if (at(receive.connection).id() != receive.id) return false;
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
  const ReceiveMemory& memory = receives_.memory();
  // The slice header lies in the head where there is one, else in the body.
  uint32_t inHead = std::min(receive.bytes, memory.headBytes());
  uint32_t inBody = receive.bytes - inHead;
  uint32_t count = 0;
  if (inHead > kSliceHeaderBytes) {
    arrival.pieces[count++] = {memory.head(number) + kSliceHeaderBytes, inHead - kSliceHeaderBytes};
  }
  uint32_t skipped = inHead == 0 ? kSliceHeaderBytes : 0;
  if (inBody > skipped) arrival.pieces[count++] = {memory.body(number) + skipped, inBody - skipped};
  arrival.pieceCount = count;
  return true;
}

/// Whoever polls posts them again before the far sides hear of it.
/// Nothing given back wakes nobody: whoever does rounds gives back with each, before it sleeps,
/// too.
void StreamService::giveBack(std::span<const uint32_t> receives) {
  if (receives.empty()) return;
  if (uint32_t unheld = receives_.giveBack(receives); unheld != 0) {
    counters_.doubleReturns.addShared(unheld);
  }
  works_.worker.wakeIfArmed();
}

}  // namespace verbena::streams
