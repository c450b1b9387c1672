// SPDX-License-Identifier: Apache-2.0
//
// What tests of the engine need: engines on a device, connected by hand, and streams of numbers
// that show what was lost, moved or doubled.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "../softnic/ends.h"
#include "streams/engine.h"

namespace verbena::streams::testing {

using softnic::testing::Folders;
using softnic::testing::kPatience;
using softnic::testing::must;

/// The byte at a position of a stream.
inline std::byte patternAt(uint64_t position, uint32_t stream) {
  uint64_t mixed = (position + 1) * 0x9e3779b97f4a7c15U + stream * 0xbf58476d1ce4e5b9U;
  return static_cast<std::byte>(mixed >> 56);
}

/// Writes a pattern into a ring as far as the far side has consumed it.
class Writer {
 public:
  Writer(Engine& engine, LinkId connection, uint32_t stream, uint64_t ringBytes, uint64_t from = 0);
  ~Writer() { close(); }
  Writer(const Writer&) = delete;

  /// Publishes up to `bytes` more; returns how many there was room for.
  uint64_t write(uint64_t bytes);
  void pump() { engine_.pump(connection_); }
  void consumed(uint64_t position) { consumed_ = position; }
  uint64_t written() const { return written_; }
  void close();

 private:
  Engine& engine_;
  LinkId connection_;
  uint32_t stream_;
  std::shared_ptr<Ring> ring_;
  PublishedPosition position_;
  uint64_t written_;
  uint64_t consumed_;
  bool open_ = true;
};

verbs::Selection softnicPort();
/// Of testDevice().
verbs::Selection testPort();
/// What a test is skipped for that needs faults on command; empty on softnic, which has them.
std::string whyNoFaults();
/// Whether the device says that a queue pair takes no receives any more (rxe: no).
bool saysLastReceive();

/// An engine, who hears of its connections, and what has arrived.
class Side : public connect::Lifecycle {
 public:
  explicit Side(const EngineOptions& options, const verbs::Selection& port = testPort());
  ~Side() override;

  Engine& engine() { return *engine_; }
  NodeId node() const { return options_.self; }

  void failed(LinkId id, const std::string& reason) override;
  void closed(LinkId id) override;
  void lookSoon() override { looks_++; }
  std::string failureOf(LinkId id) const;  ///< empty: none
  int failures() const;
  int closedTimes(LinkId id) const;
  int looks() const { return looks_; }  ///< that were asked for

  /// One round: progress, and everything that has arrived is checked against the pattern.
  size_t turn();
  /// As turn(), but what arrives is kept, not given back.
  void hold(bool held) { hold_ = held; }
  size_t held() const { return held_.size(); }
  void giveBackHeld();
  /// How far a stream has arrived without a gap.
  uint64_t arrived(LinkId id, uint32_t stream) const;
  uint64_t arrivals() const { return arrivals_; }
  const std::string& control(LinkId id) { return control_[id]; }
  /// Streams that do not begin at 0.
  void expectFrom(LinkId id, uint32_t stream, uint64_t position) {
    positions_[{id, stream}] = position;
  }
  /// The far side writes a stream's large slices there.
  void expectPlaced(LinkId id, uint32_t stream, std::shared_ptr<Replica> replica) {
    replicas_[{id, stream}] = std::move(replica);
  }
  /// Gaps and wrong bytes count, and are not reported at once: a test may want them.
  uint64_t wrong() const { return wrong_; }

 private:
  void check(const Arrival& arrival);
  void checkPlaced(const Arrival& arrival);

  EngineOptions options_;
  std::unique_ptr<Engine> engine_;
  mutable std::mutex lock_;
  std::multimap<LinkId, std::string> failed_;
  std::vector<LinkId> closed_;
  std::atomic<int> looks_{0};
  std::map<std::pair<LinkId, uint32_t>, uint64_t> positions_;
  std::map<std::pair<LinkId, uint32_t>, std::shared_ptr<Replica>> replicas_;
  std::map<LinkId, std::string> control_;
  std::vector<uint32_t> held_;
  uint64_t arrivals_ = 0;
  uint64_t wrong_ = 0;
  bool hold_ = false;
};

/// A small engine: everything wraps and fills soon.
EngineOptions small(NodeId self);

/// Connects both sides under the same id.
void connect(Side& one, Side& other, LinkId id);

/// Turns the sides until the condition holds; false if it does not within kPatience.
template <typename Condition>
bool turnUntil(std::initializer_list<Side*> sides, Condition condition) {
  auto end = std::chrono::steady_clock::now() + kPatience;
  while (!condition()) {
    for (Side* side : sides) side->turn();
    if (std::chrono::steady_clock::now() > end) return false;
  }
  return true;
}
void turnFor(std::initializer_list<Side*> sides, std::chrono::milliseconds time);

/// Two engines with one connection.
class Pair : public ::testing::Test {
 protected:
  static constexpr LinkId kId = 7;

  void open(const EngineOptions& left, const EngineOptions& right);
  void open() { open(small(1), small(2)); }
  Side& left() { return *left_; }
  Side& right() { return *right_; }
  template <typename Condition>
  bool until(Condition condition) {
    return turnUntil({&left(), &right()}, condition);
  }
  void closeBoth();

  Folders folders_;
  std::unique_ptr<Side> left_, right_;
};

}  // namespace verbena::streams::testing
