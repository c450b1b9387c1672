// SPDX-License-Identifier: Apache-2.0
#include "sides.h"

#include <algorithm>

#include "../test_device.h"
#include "devices/providers.h"

namespace verbena::streams::testing {

using Clock = std::chrono::steady_clock;

Writer::Writer(Engine& engine, LinkId connection, uint32_t stream, uint64_t ringBytes,
               uint64_t from)
    : engine_(engine),
      connection_(connection),
      stream_(stream),
      ring_(must(engine.allocateRing(ringBytes))),
      position_(from),
      written_(from),
      consumed_(from) {
  must(engine.openStream(connection, stream, ring_, 0, ringBytes, position_, from));
}

uint64_t Writer::write(uint64_t bytes) {
  uint64_t count = std::min(bytes, ring_->bytes() - (written_ - consumed_));
  for (uint64_t i = 0; i < count; i++) {
    ring_->start()[(written_ + i) & (ring_->bytes() - 1)] = patternAt(written_ + i, stream_);
  }
  written_ += count;
  position_.publish(written_);
  return count;
}

void Writer::close() {
  if (open_) engine_.closeStream(connection_, stream_);
  open_ = false;
}

Side::Side(const EngineOptions& options, const verbs::Selection& port)
    : options_(options), engine_(must(Engine::open(port, options))) {
  engine_->report(*this);
}

Side::~Side() = default;

void Side::failed(LinkId id, const std::string& reason) {
  std::lock_guard guard(lock_);
  failed_.emplace(id, reason);
}
void Side::closed(LinkId id) {
  std::lock_guard guard(lock_);
  closed_.push_back(id);
}
std::string Side::failureOf(LinkId id) const {
  std::lock_guard guard(lock_);
  EXPECT_LE(failed_.count(id), 1U) << "failed() came twice";
  auto found = failed_.find(id);
  return found == failed_.end() ? "" : found->second;
}
int Side::failures() const {
  std::lock_guard guard(lock_);
  return static_cast<int>(failed_.size());
}
int Side::closedTimes(LinkId id) const {
  std::lock_guard guard(lock_);
  return static_cast<int>(std::count(closed_.begin(), closed_.end(), id));
}

size_t Side::turn() {
  size_t done = engine_->progress();
  Arrival arrivals[16];
  while (size_t count = engine_->take(arrivals)) {
    done += count;
    for (size_t i = 0; i < count; i++) {
      check(arrivals[i]);
      if (hold_) {
        held_.push_back(arrivals[i].receive);
      } else {
        engine_->giveBack(arrivals[i].receive);
      }
    }
  }
  return done;
}

void Side::check(const Arrival& arrival) {
  arrivals_++;
  uint64_t& expected = positions_[{arrival.connection, arrival.stream}];
  if (arrival.position != expected) wrong_++;
  if (arrival.pieceCount == 0) {
    checkPlaced(arrival);
    expected = arrival.position + arrival.bytes;
    return;
  }
  uint64_t position = arrival.position;
  for (uint32_t i = 0; i < arrival.pieceCount; i++) {
    const Arrival::Piece& piece = arrival.pieces[i];
    if (arrival.stream == kControlStream) {
      control_[arrival.connection].append(reinterpret_cast<const char*>(piece.start), piece.bytes);
      position += piece.bytes;
      continue;
    }
    for (uint64_t at = 0; at < piece.bytes; at++) {
      if (piece.start[at] != patternAt(position++, arrival.stream)) wrong_++;
    }
  }
  if (position != arrival.position + arrival.bytes) wrong_++;
  expected = position;
}

void Side::checkPlaced(const Arrival& arrival) {
  auto replica = replicas_.find({arrival.connection, arrival.stream});
  if (replica == replicas_.end()) {
    wrong_++;
    return;
  }
  uint64_t mask = replica->second->bytes() - 1;
  for (uint64_t at = arrival.position; at < arrival.position + arrival.bytes; at++) {
    if (replica->second->start()[at & mask] != patternAt(at, arrival.stream)) wrong_++;
  }
}

void Side::giveBackHeld() {
  for (uint32_t receive : held_) engine_->giveBack(receive);
  held_.clear();
}

uint64_t Side::arrived(LinkId id, uint32_t stream) const {
  auto found = positions_.find({id, stream});
  return found == positions_.end() ? 0 : found->second;
}

EngineOptions small(NodeId self) {
  return {.self = self,
          .maxConnections = 8,
          .sendWorkRequests = 8,
          .signalEvery = 4,
          .bufferBytes = 1024,
          .buffersPerReceive = 2,
          .receiveWorkRequests = 64,
          .firstWindow = 4,
          .window = 6,
          .controlRingBytes = 256};
}

namespace {

verbs::Selection portOf(const std::string& device) {
  return must(verbs::select(verbs::survey(devices::providers()), {.device = device}));
}

}  // namespace

verbs::Selection softnicPort() {
  return portOf("softnic");
}
verbs::Selection testPort() {
  return portOf(testDevice());
}
std::string whyNoFaults() {
  return testDevice() == "softnic" ? "" : testDevice() + " has no faults on command";
}
bool saysLastReceive() {
  return !testDevice().starts_with("rxe");
}

void connect(Side& one, Side& other, LinkId id) {
  connect::LinkEnd near = must(one.engine().create({id, other.node(), kStreams}));
  connect::LinkEnd far = must(other.engine().create({id, one.node(), kStreams}));
  must(one.engine().connect(id, far));
  must(other.engine().connect(id, near));
  one.engine().ready(id);
  other.engine().ready(id);
}

void turnFor(std::initializer_list<Side*> sides, std::chrono::milliseconds time) {
  for (auto end = Clock::now() + time; Clock::now() < end;) {
    for (Side* side : sides) side->turn();
  }
}

void Pair::open(const EngineOptions& left, const EngineOptions& right) {
  left_ = std::make_unique<Side>(left);
  right_ = std::make_unique<Side>(right);
  connect(*left_, *right_, kId);
}

void Pair::closeBoth() {
  left().engine().close(kId, "the test is over");
  right().engine().close(kId, "the test is over");
  EXPECT_TRUE(until([&] { return left().closedTimes(kId) == 1 && right().closedTimes(kId) == 1; }));
}

}  // namespace verbena::streams::testing
