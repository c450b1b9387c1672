// SPDX-License-Identifier: Apache-2.0
//
// What the device reports: completions of all connections, and asynchronous events.
#pragma once

#include <atomic>
#include <string>

#include "streams/connection_table.h"
#include "streams/incoming_ring.h"
#include "streams/shared_receives.h"

namespace verbena::streams {

/// Who hears of connections that cannot go on.
class Failures {
 public:
  virtual ~Failures() = default;
  virtual void failed(Connection& connection, const std::string& reason) = 0;
  /// What the far side sent makes no sense: nothing else of it is believed either.
  virtual void nonsense(Connection& connection, const std::string& reason) = 0;
  /// No connection of this engine can go on.
  virtual void deviceFailed(const std::string& reason) = 0;
};

/// Belongs to whoever has the turn to poll.
class Completions {
 public:
  Completions(Works& works, ConnectionTable& connections, SharedReceives& receives,
              IncomingRing& incoming, Failures& failures);

  /// Takes one batch of each queue and refills the receive queue; returns how many completions.
  size_t take();
  /// Takes everything that is in the receive queue. Ends whatever the far sides send meanwhile:
  /// receives are posted again only afterwards.
  void drainReceives();
  /// Asynchronous events; a system call.
  void takeEvents();
  /// The next take() looks at the send queue even if no send is to report anything: sends that
  /// fail do so unasked. Any thread.
  void lookAtSends() { sendsWanted_.store(true, std::memory_order_relaxed); }

 private:
  static constexpr size_t kBatch = 64;
  /// Rounds in which sends that do not report may fail unnoticed.
  static constexpr uint32_t kRoundsUnseen = 64;

  size_t takeReceives();
  void handOut();
  void refill();
  bool sendsDue();
  size_t takeSends();
  int poll(const verbs::CompletionQueue& queue, const char* which);

  void received(const ibv_wc& done);
  void arrived(Connection& connection, uint32_t number, uint32_t bytes);
  bool hearReport(Connection& connection, const ibv_wc& done);
  void sent(const ibv_wc& done);
  void failed(Connection& connection, const ibv_wc& done, const char* what);
  void heard(const verbs::AsyncEvent& event);

  Works& works_;
  ConnectionTable& connections_;
  SharedReceives& receives_;
  IncomingRing& incoming_;
  Failures& failures_;
  uint32_t sendsUnseen_ = 0;  // rounds
  std::atomic<bool> sendsWanted_{false};
  std::array<ibv_wc, kBatch> batch_{};
};

}  // namespace verbena::streams
