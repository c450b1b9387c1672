// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>

#include "streams/completions.h"
#include "streams/endings.h"
#include "streams/engine.h"

namespace verbena::streams {

/// What an engine is made of.
class Engine::State final : public Failures {
 public:
  State(const EngineOptions& options, OpenPort port, Registered outgoing, Registered buffers);

  // --- connections (engine_connections.cpp)
  base::Result<connect::LinkEnd> create(const connect::NewLink& link);
  base::Result<void> connect(LinkId id, const connect::LinkEnd& far);
  void ready(LinkId id);
  void close(LinkId id);
  void failed(Connection& connection, const std::string& reason) override;
  void nonsense(Connection& connection, const std::string& reason) override;
  void deviceFailed(const std::string& reason) override;

  // --- out
  bool pump(Connection& connection);
  /// Does `work` under the turn of a connection, if it is (still) there; says whether.
  template <typename Work>
  bool inTurn(LinkId id, Work work);

  // --- in (engine.cpp)
  size_t progress();
  size_t take(std::span<Arrival> arrivals);
  void giveBack(uint32_t receive);
  void arm();
  void wait(std::chrono::nanoseconds timeout);

  Works works;
  ConnectionTable connections;
  SharedReceives receives;
  IncomingRing incoming;
  Completions completions;
  Endings endings;
  connect::Lifecycle* lifecycle = nullptr;

 private:
  /// Connections pumped in one round.
  static constexpr size_t kPumps = 64;
  /// Rounds after which the device is asked for events without any sign of one.
  static constexpr uint32_t kRoundsUnasked = 4096;

  size_t round();
  size_t serveInterests();
  void endThoseDue();
  void end(Connection& connection);
  uint32_t grantWindow();
  base::Result<QueuePairEnd> createAt(Connection& place, LinkId id, NodeId peer,
                                               uint32_t window);
  bool describe(uint32_t number, Arrival& arrival);

  fabric::Turn turn_;  // to poll
  uint32_t unasked_ = 0;
  std::atomic<bool> eventsDue_{false};
  std::atomic<bool> dead_{false};
  std::mutex lifeLock_;  // guards what follows, and changes of the table
  std::string deathReason_;
  uint64_t granted_ = 0;  // receives that open connections may need
};

template <typename Work>
bool Engine::State::inTurn(LinkId id, Work work) {
  Connection* connection = connections.find(id);
  if (connection == nullptr) return false;
  fabric::TurnHeld turn(connection->turn());
  // It may have ended, and its place may be another's, since it was found.
  bool there = connection->id() == id;
  if (there) work(*connection);
  if (turn.leave()) works.showInterest(connection->place());
  return there;
}

}  // namespace verbena::streams
