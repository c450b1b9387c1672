// SPDX-License-Identifier: Apache-2.0
//
// What the device reports of all links: requests that are done, and asynchronous events.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "fabric/counters.h"
#include "fabric/link_table.h"
#include "verbs/async_events.h"
#include "verbs/completion.h"

namespace verbena::fabric {

/// Who hears of links that cannot go on.
class Failures {
 public:
  virtual ~Failures() = default;
  virtual void failed(Link& link, const std::string& reason) = 0;
  /// The far side has used a key that does not let it do what it wanted. failed() follows.
  virtual void usedWrongKey(const Link& link) = 0;
  /// What the far side sent makes no sense: nothing else of it is believed either.
  virtual void nonsense(Link& link, const std::string& reason) = 0;
  /// No link of this device can go on.
  virtual void deviceFailed(const std::string& reason) = 0;
  /// An event of the device that all its workers are to hear of: it is told once, to whoever asks
  /// first.
  virtual void heard(const verbs::AsyncEvent& event) = 0;
};

/// Belongs to whoever has the turn to poll.
class Completions {
 public:
  Completions(const verbs::CompletionQueue& queue, const verbs::AsyncEvents& events,
              const LinkTable& links, const std::atomic<uint64_t>& reporting, Counters& counters,
              Failures& failures);

  /// Takes a batch if there can be one; returns how many.
  size_t take();
  /// Asynchronous events; a system call.
  void takeEvents();
  /// The next take() looks at the queue even if no request is to report anything: those that fail
  /// do so unasked. Any thread.
  void lookUnasked() { wanted_.store(true, std::memory_order_relaxed); }
  /// What an event says of these links. Any thread.
  void heard(const verbs::AsyncEvent& event);
  /// A completion of a link, `what` it was of, is no good.
  void failed(Link& link, const ibv_wc& done, const char* what);

 private:
  static constexpr size_t kBatch = 64;
  /// Rounds in which requests that do not report may fail unnoticed.
  static constexpr uint32_t kRoundsUnseen = 64;

  bool isDue();
  void done(const ibv_wc& done);

  const verbs::CompletionQueue& queue_;
  const verbs::AsyncEvents& events_;
  const LinkTable& links_;
  const std::atomic<uint64_t>& reporting_;
  Counters& counters_;
  Failures& failures_;
  uint32_t unseen_ = 0;  // rounds
  std::atomic<bool> wanted_{false};
  std::array<ibv_wc, kBatch> batch_{};
};

}  // namespace verbena::fabric
