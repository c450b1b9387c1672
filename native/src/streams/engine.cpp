// SPDX-License-Identifier: Apache-2.0
#include "streams/engine.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <optional>
#include <utility>

#include "fabric/worker.h"
#include "streams/stream_service.h"

namespace verbena::streams {
namespace {

using base::Error;
using base::Result;

/// Somewhat more than windows need, so that receives can be posted in chains; as many as the device
/// has room for.
uint32_t mostReceives(const EngineOptions& options, const ibv_device_attr& limits) {
  constexpr uint64_t kSpare = 32;
  auto room = static_cast<uint64_t>(std::min(limits.max_srq_wr, limits.max_cqe));
  return static_cast<uint32_t>(std::min(WindowGrants::most(options) + kSpare, room));
}

/// A send that fits into it leaves the body alone. A small one is not worth another piece.
uint32_t headBytes(const EngineOptions& options, const ibv_device_attr& limits) {
  constexpr uint32_t kHeadBytes = 256;
  bool hasRoom = limits.max_srq_sge > 1 && options.receiveBytes() > kHeadBytes;
  return hasRoom ? kHeadBytes : 0;
}

Error noConnection(const std::string& operation, LinkId id) {
  return {operation, "connection " + std::to_string(id), ENOTCONN, "it is not there any more"};
}

Error noService(const connect::NewLink& link) {
  return {"create link " + std::to_string(link.name.service) + "." +
              std::to_string(link.name.rail) + " with node " + std::to_string(link.peer),
          "", EPROTO, "nothing here speaks for it"};
}

Result<Works> makeWorks(const EngineOptions& options, fabric::Worker& worker) {
  const fabric::Domain& domain = worker.domain();
  auto outgoing =
      fabric::Registered::allocate(domain, options.maxConnections * Works::outgoingBytes(options));
  if (!outgoing) return outgoing.error();
  const ibv_device_attr& device = domain.context.limits();
  SharedReceives::Limits limits{mostReceives(options, device), headBytes(options, device)};
  auto arrivals =
      verbs::CompletionQueue::create(domain.context, static_cast<int>(limits.most),
                                     worker.channel(), nullptr, worker.options().vector);
  if (!arrivals) return arrivals.error();
  auto receives =
      verbs::SharedReceiveQueue::create(domain.pd, limits.most, limits.headBytes != 0 ? 2 : 1);
  if (!receives) return receives.error();
  return Works{.options = options,
               .worker = worker,
               .outgoingMemory = std::move(*outgoing),
               .arrivals = std::move(*arrivals),
               .receives = std::move(*receives),
               .limits = limits,
               .grants = std::make_unique<WindowGrants>(options, limits.most)};
}

}  // namespace

/// What an engine is made of.
class Engine::State {
 public:
  State(fabric::Worker& driver, Works works) : worker(driver), streams(std::move(works)) {}

  const fabric::Domain& domain() const { return worker.domain(); }
  /// Does `work` under the turn of a connection, if it is there; says whether.
  template <typename Work>
  bool inTurn(LinkId id, Work work) {
    bool isOurs = false;
    bool there = worker.inTurn(id, [&](fabric::Link& link) {
      isOurs = &link.service() == &streams;
      if (isOurs) work(static_cast<Connection&>(link));
    });
    return there && isOurs;
  }

  /// Of every connection that may not write yet. The key is not bound to one: who has learnt it and
  /// has a connection may use it.
  Result<void> allowWrites() {
    Result<void> result;
    worker.links().forEach([&](fabric::Link& link) {
      if (&link.service() != &streams || !result) return;
      worker.inTurn(link.id(),
                    [&](fabric::Link& there) { result = there.allow(IBV_ACCESS_REMOTE_WRITE); });
    });
    return result;
  }

  fabric::Worker& worker;
  StreamService streams;
  // Of arm(), until the wait: other threads may wait at the worker, too.
  std::optional<uint64_t> ticket;
  std::unique_ptr<fabric::Worker> own;  // last: its links go before what they use
};

Engine::Engine(std::unique_ptr<State> state) : state_(std::move(state)) {}
Engine::~Engine() = default;

Result<std::unique_ptr<Engine>> Engine::open(const verbs::Selection& device,
                                             const EngineOptions& options) {
  Result<std::shared_ptr<const fabric::Domain>> domain = fabric::Domain::open(device);
  if (!domain) return domain.error();
  Result<std::unique_ptr<fabric::Worker>> worker =
      fabric::Worker::open(*domain, workerOptions(options));
  if (!worker) return worker.error();
  Result<std::unique_ptr<Engine>> engine = on(**worker, options);
  if (!engine) return engine;
  State& state = *(*engine)->state_;
  state.own = std::move(*worker);
  auto added = state.worker.add(state.streams, options.maxConnections);
  if (!added) return added.error();
  return engine;
}

Result<std::unique_ptr<Engine>> Engine::on(fabric::Worker& worker, const EngineOptions& options) {
  if (Result<void> good = check(worker, options); !good) return good.error();
  Result<Works> works = makeWorks(options, worker);
  if (!works) return works.error();
  auto state = std::make_unique<State>(worker, std::move(*works));
  if (Result<void> covered = state->streams.cover(); !covered) return covered.error();
  return std::unique_ptr<Engine>(new Engine(std::move(state)));
}

fabric::Service& Engine::service() {
  return state_->streams;
}

void Engine::report(connect::Lifecycle& to) {
  state_->worker.report(to);
}

EngineMemory Engine::memory() const {
  const EngineOptions& options = state_->streams.works().options;
  uint64_t entries = workerOptions(options).completions() + state_->streams.works().limits.most;
  return {state_->streams.receives().bytes(), Works::outgoingBytes(options),
          entries * sizeof(ibv_wc)};
}

EngineCounters Engine::counters() const {
  const Counters& counted = state_->streams.counters();
  const fabric::Counters& driven = state_->worker.counters();
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
                     .sendCompletions = driven.completions,
                     .refills = counted.refills,
                     .pumps = 0,
                     .rounds = driven.rounds,
                     .failedCompletions = driven.failedCompletions,
                     .receiverNotReady = driven.receiverNotReady,
                     .nonsense = driven.nonsense,
                     .connectionsFailed = driven.linksFailed,
                     .lateEndings = driven.lateEndings,
                     .doubleReturns = counted.doubleReturns};
  state_->worker.links().forEach([&](const fabric::Link& link) {
    if (&link.service() != &state_->streams) return;
    const SendCounters& sent = static_cast<const Connection&>(link).counters();
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
  return state_->streams.receives().posted();
}
uint32_t Engine::receivesHeld() const {
  return state_->streams.receives().held();
}
const verbs::Selection& Engine::device() const {
  return state_->domain().selection;
}
ibv_context* Engine::context() const {
  return state_->domain().context.get();
}

Result<connect::LinkEnd> Engine::create(const connect::NewLink& link) {
  if (link.name != kStreams) return noService(link);
  return state_->worker.create(state_->streams, link);
}
Result<void> Engine::connect(LinkId id, const connect::LinkEnd& far) {
  return state_->worker.connect(id, far);
}
void Engine::ready(LinkId id) {
  state_->worker.ready(id);
}
void Engine::close(LinkId id, const std::string&) {
  state_->worker.close(id);
}

void Engine::destroy(LinkId id) {
  state_->worker.destroy(id);
}
std::chrono::nanoseconds Engine::watch(std::chrono::nanoseconds now) {
  return state_->worker.watch(now);
}

Result<std::shared_ptr<Ring>> Engine::allocateRing(uint64_t bytes) {
  auto memory = fabric::Registered::allocate(state_->domain(), bytes);
  if (!memory) return memory.error();
  return std::make_shared<Ring>(std::move(*memory));
}

Result<std::shared_ptr<Replica>> Engine::allocateReplica(uint64_t bytes) {
  auto memory = verbs::ShareableMemory::allocate(state_->domain().context, bytes);
  if (!memory) return memory.error();
  return std::make_shared<Replica>(std::move(*memory));
}
Result<Replica::Grant> Engine::grant(Replica& replica, uint64_t offset) {
  Result<Replica::Grant> granted = replica.grant(state_->domain(), offset);
  if (!granted) return granted;
  Result<void> allowed = state_->allowWrites();
  if (!allowed) return allowed.error();
  return granted;
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
  bool there = state_->inTurn(id, [&](Connection& of) { of.closeStream(stream); });
  if (there) state_->worker.interest(id);
}

bool Engine::pump(LinkId id) {
  return state_->worker.pump(id);
}

void Engine::interest(LinkId id) {
  state_->worker.interest(id);
}

size_t Engine::writeControl(LinkId id, std::span<const std::byte> bytes) {
  fabric::Link* link = state_->worker.links().find(id);
  if (link == nullptr || &link->service() != &state_->streams) return 0;
  return static_cast<Connection*>(link)->writeControl(id, bytes);
}

size_t Engine::progress() {
  return state_->worker.progress();
}
size_t Engine::take(std::span<Arrival> arrivals) {
  return state_->streams.take(arrivals);
}
void Engine::giveBack(std::span<const uint32_t> receives) {
  state_->streams.giveBack(receives);
}
void Engine::arm() {
  state_->ticket = state_->worker.arm(&state_->streams);
}
void Engine::wait(std::chrono::nanoseconds timeout) {
  if (auto ticket = std::exchange(state_->ticket, std::nullopt)) {
    state_->worker.wait(timeout, *ticket, &state_->streams);
  } else {
    state_->worker.wait(timeout, &state_->streams);
  }
}
void Engine::wake() {
  state_->worker.wake();
}

}  // namespace verbena::streams
