// SPDX-License-Identifier: Apache-2.0
#include "streams/engine.h"

#include <bit>
#include <cerrno>

#include "streams/engine_state.h"

namespace verbena::streams {
namespace {

using base::Error;
using base::Result;

/// A thread that is turned away leaves a mark; so many times the worker looks again itself.
constexpr int kLooks = 4;

uint64_t bufferMemory(const EngineOptions& options) {
  return BufferPool::bytesFor(uint64_t{options.receiveWorkRequests} * options.buffersPerReceive,
                              options.bufferBytes);
}

bool rests(Connection::Pumped outcome) {
  return outcome == Connection::Pumped::Done || outcome == Connection::Pumped::Waits;
}

Error noConnection(const std::string& operation, LinkId id) {
  return {operation, "connection " + std::to_string(id), ENOTCONN, "it is not there any more"};
}

}  // namespace

Engine::State::State(const EngineOptions& options, OpenPort port, Registered outgoing,
                     Registered buffers)
    : works(options, std::move(port), std::move(outgoing)),
      connections(works),
      receives(works.port, options, BufferPool(std::move(buffers), options.bufferBytes),
               works.counters),
      incoming(receives.count()),
      completions(works, connections, receives, incoming, *this),
      endings(works) {}

bool Engine::State::pump(Connection& connection) {
  if (!connection.turn().enter()) return false;
  auto outcome = Connection::Pumped::Done;
  int looks = 0;
  // again() takes the mark away, so it is asked only where another look follows: what is left after
  // the last one leave() finds.
  do {
    outcome = connection.pump();
  } while (rests(outcome) && ++looks < kLooks && connection.turn().again());
  LinkId id = connection.id();
  std::string trouble;
  if (outcome == Connection::Pumped::Failed) trouble = connection.takeTrouble();
  bool marked = connection.turn().leave();
  if (outcome == Connection::Pumped::Failed && connection.id() == id) failed(connection, trouble);
  if (outcome == Connection::Pumped::More || marked) works.showInterest(connection.place());
  return outcome == Connection::Pumped::Waits;
}

size_t Engine::State::progress() {
  if (!turn_.enter()) return 0;
  auto leave = [this](fabric::Turn* turn) {
    // Somebody was turned away who may be about to sleep: that one looks again itself.
    if (turn->leave()) works.waiter->wakeIfArmed();
  };
  std::unique_ptr<fabric::Turn, decltype(leave)> turn(&turn_, leave);  // also where memory is lacking
  return round();
}

size_t Engine::State::round() {
  works.counters.rounds.add();
  bool due = eventsDue_.load(std::memory_order_relaxed) || !endings.empty();
  if (due || ++unasked_ >= kRoundsUnasked) {
    unasked_ = 0;
    eventsDue_.store(false, std::memory_order_relaxed);
    completions.takeEvents();
    completions.lookAtSends();
  }
  size_t done = completions.take() + serveInterests();
  if (!endings.empty()) endThoseDue();
  return done;
}

size_t Engine::State::serveInterests() {
  for (size_t served = 0; served < kPumps; served++) {
    std::optional<uint32_t> place = works.interests.next();
    if (!place) return served;
    pump(connections.at(*place));
  }
  return kPumps;
}

size_t Engine::State::take(std::span<Arrival> arrivals) {
  size_t count = 0;
  while (count < arrivals.size()) {
    std::optional<uint32_t> number = incoming.next();
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
bool Engine::State::describe(uint32_t number, Arrival& arrival) {
  const Receive& receive = receives.at(number);
  if (connections.at(receive.connection).id() != receive.id) return false;
  const BufferPool& pool = receives.pool();
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

void Engine::State::giveBack(uint32_t number) {
  if (number >= receives.count()) return works.counters.doubleReturns.addShared();
  // Read before it is given back: afterwards the receive is somebody else's.
  uint32_t place = receives.at(number).connection;
  uint32_t generation = receives.at(number).generation;
  if (!receives.giveBack(number)) return works.counters.doubleReturns.addShared();
  if (connections.at(place).receiveWindow().giveBack(generation)) works.showInterest(place);
  if (receives.isLow()) works.waiter->wakeIfArmed();
}

void Engine::State::arm() {
  if (!works.waiter->arm()) eventsDue_.store(true, std::memory_order_relaxed);
  completions.lookAtSends();
}

void Engine::State::wait(std::chrono::nanoseconds timeout) {
  constexpr std::chrono::milliseconds kEndingsTick{5};
  // What this thread itself has left since arm() wakes nobody.
  if (!works.interests.empty() || !incoming.empty()) return works.waiter->disarm();
  bool ending = !endings.empty();
  if (ending && (timeout.count() < 0 || timeout > kEndingsTick)) timeout = kEndingsTick;
  if (dead_.load(std::memory_order_relaxed)) return works.waiter->waitForOthers(timeout);
  if (works.waiter->wait(timeout)) eventsDue_.store(true, std::memory_order_relaxed);
}

Engine::Engine(std::unique_ptr<State> state) : state_(std::move(state)) {}
Engine::~Engine() = default;

Result<std::unique_ptr<Engine>> Engine::open(const verbs::Selection& device,
                                             const EngineOptions& options) {
  Result<OpenPort> port = OpenPort::open(device, options);
  if (!port) return port.error();
  Result<Registered> outgoing =
      Registered::allocate(*port, options.maxConnections * Works::outgoingBytes(options));
  if (!outgoing) return outgoing.error();
  Result<Registered> buffers = Registered::allocate(*port, bufferMemory(options));
  if (!buffers) return buffers.error();
  auto state =
      std::make_unique<State>(options, std::move(*port), std::move(*outgoing), std::move(*buffers));
  Result<std::unique_ptr<Waiter>> waiter = Waiter::create(state->works.port);
  if (!waiter) return waiter.error();
  state->works.waiter = std::move(*waiter);
  if (int code = state->receives.refill(); code != 0) {
    return Error{"post receives", device.device.name(), code, ""};
  }
  return std::unique_ptr<Engine>(new Engine(std::move(state)));
}

void Engine::report(connect::Lifecycle& to) {
  state_->lifecycle = &to;
}

EngineMemory Engine::memory() const {
  const EngineOptions& options = state_->works.options;
  uint64_t entries = sendCompletions(options) + options.receiveWorkRequests;
  return {bufferMemory(options), Works::outgoingBytes(options), entries * sizeof(ibv_wc)};
}

EngineCounters Engine::counters() const {
  const Counters& counted = state_->works.counters;
  EngineCounters sum{.sends = 0,
                     .sendBytes = 0,
                     .writes = 0,
                     .reports = 0,
                     .posts = 0,
                     .partialPosts = 0,
                     .arrivals = counted.arrivals,
                     .arrivalBytes = counted.arrivalBytes,
                     .reportsReceived = counted.reportsReceived,
                     .arrivalsDropped = counted.arrivalsDropped,
                     .sendCompletions = counted.sendCompletions,
                     .refills = counted.refills,
                     .pumps = 0,
                     .rounds = counted.rounds,
                     .failedCompletions = counted.failedCompletions,
                     .receiverNotReady = counted.receiverNotReady,
                     .nonsense = counted.nonsense,
                     .connectionsFailed = counted.connectionsFailed,
                     .lateEndings = counted.lateEndings,
                     .doubleReturns = counted.doubleReturns};
  state_->connections.forEach([&](const Connection& connection) {
    const SendCounters& sent = connection.counters();
    sum.sends += sent.sends;
    sum.sendBytes += sent.sendBytes;
    sum.writes += sent.writes;
    sum.reports += sent.reports;
    sum.posts += sent.posts;
    sum.partialPosts += sent.partialPosts;
    sum.pumps += sent.pumps;
  });
  return sum;
}
uint32_t Engine::receivesPosted() const {
  return state_->receives.posted();
}
uint32_t Engine::buffersFree() const {
  return state_->receives.pool().free();
}
const verbs::Selection& Engine::device() const {
  return state_->works.port.selection;
}
ibv_context* Engine::context() const {
  return state_->works.port.context.get();
}

Result<connect::LinkEnd> Engine::create(const connect::NewLink& link) {
  return state_->create(link);
}
Result<void> Engine::connect(LinkId id, const connect::LinkEnd& far) {
  return state_->connect(id, far);
}
void Engine::ready(LinkId id) {
  state_->ready(id);
}
void Engine::close(LinkId id, const std::string&) {
  state_->close(id);
}

Result<std::shared_ptr<Ring>> Engine::allocateRing(uint64_t bytes) {
  Result<Registered> memory = Registered::allocate(state_->works.port, bytes);
  if (!memory) return memory.error();
  return std::make_shared<Ring>(std::move(*memory));
}

Result<std::shared_ptr<Replica>> Engine::allocateReplica(uint64_t bytes) {
  auto memory = verbs::ShareableMemory::allocate(state_->works.port.context, bytes);
  if (!memory) return memory.error();
  return std::make_shared<Replica>(std::move(*memory));
}
Result<Replica::Grant> Engine::grant(Replica& replica, uint64_t offset) {
  return replica.grant(state_->works.port, offset);
}

Result<void> Engine::openStream(LinkId id, uint32_t stream, std::shared_ptr<Ring> ring,
                                uint64_t offset, uint64_t data, Source& source, uint64_t from) {
  std::string operation = "open stream " + std::to_string(stream);
  bool fits = offset <= ring->bytes() && data <= ring->bytes() - offset;
  if (stream == kControlStream || !std::has_single_bit(data) || !fits) {
    return Error{
        operation, "connection " + std::to_string(id), EINVAL,
        std::to_string(data) + " bytes from " + std::to_string(offset) +
            " on are no power of two within the ring, or the stream is the control stream"};
  }
  OutStream opened{stream, ring, ring->start() + offset, ring->lkey(), data - 1, &source, from};
  Result<void> result;
  bool there = state_->inTurn(
      id, [&](Connection& connection) { result = connection.openStream(std::move(opened)); });
  return there ? result : noConnection(operation, id);
}

void Engine::placeStream(LinkId id, uint32_t stream, uint64_t address, uint32_t key) {
  if (stream == kControlStream) return;
  state_->inTurn(id, [&](Connection& of) { of.placeStream(stream, {address, key}); });
}

void Engine::closeStream(LinkId id, uint32_t stream) {
  if (stream == kControlStream) return;
  Connection* connection = state_->connections.find(id);
  bool there = state_->inTurn(id, [&](Connection& of) { of.closeStream(stream); });
  if (there) state_->works.showInterest(connection->place());
}

bool Engine::pump(LinkId id) {
  Connection* connection = state_->connections.find(id);
  return connection != nullptr && state_->pump(*connection);
}

void Engine::interest(LinkId id) {
  if (Connection* connection = state_->connections.find(id)) {
    state_->works.showInterest(connection->place());
  }
}

size_t Engine::writeControl(LinkId id, std::span<const std::byte> bytes) {
  Connection* connection = state_->connections.find(id);
  return connection != nullptr ? connection->writeControl(id, bytes) : 0;
}

size_t Engine::progress() {
  return state_->progress();
}
size_t Engine::take(std::span<Arrival> arrivals) {
  return state_->take(arrivals);
}
void Engine::giveBack(uint32_t receive) {
  state_->giveBack(receive);
}
void Engine::arm() {
  state_->arm();
}
void Engine::wait(std::chrono::nanoseconds timeout) {
  state_->wait(timeout);
}
void Engine::wake() {
  // seq_cst pairs with Waiter::arm(): what the caller has left comes before the look at the flag
  std::atomic_thread_fence(std::memory_order_seq_cst);
  state_->works.waiter->wakeIfArmed();
}

}  // namespace verbena::streams
