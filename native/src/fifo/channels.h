// SPDX-License-Identifier: Apache-2.0
//
// FIFO channels between nodes: one writer, one reader each, under a number of the reader's
// (docs/channel.md). A service of a node, with a face on each worker: an end is of the one at which
// it was opened. It has no thread: whoever calls an end of a channel does the rounds of all that
// are of its worker.
//
// Threads: an end is used by one thread at a time, ends of one worker by as many as there are.
// Those of two workers share no lock but while they open and go.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/result.h"
#include "fabric/link_user.h"
#include "fabric/one_sided.h"
#include "fabric/region.h"
#include "fifo/bell.h"
#include "fifo/end.h"
#include "fifo/ring.h"
#include "node/node.h"

namespace verbena::fifo {

class Connections;
class Opening;
class Reader;
class Writer;
struct Openings;

/// Ends of one worker, where one thread waits.
using Ends = std::span<End* const>;

/// The number of the service, in the names of its links.
inline constexpr uint16_t kChannels = 3;
/// The rail of a channel's link is its number, and which of both nodes writes: they may write to
/// each other under one number.
inline constexpr uint16_t kWriterIsGreater = 0x8000;
/// Numbers that users choose. Others are of connections, whose nodes count those that they open.
inline constexpr uint16_t kMostNumber = 0x3FFF;
inline constexpr uint16_t kOfConnection = 0x4000;
inline constexpr uint16_t kOpenedByGreater = 0x2000;
inline constexpr uint16_t kMostCount = 0x1FFF;

/// "channel 5", "connection 3"
std::string nameOf(uint16_t number);

struct ChannelsOptions {
  fabric::Owner owner{};    ///< the node that they are of
  uint32_t channels = 128;  ///< of each worker that are linked at a time
  /// Memory, with ends on the same host whose nodes share it, too; else all goes by the device.
  bool share = true;
  std::string folder{};  ///< of rings; empty: defaultFolder() (names.h)
  /// Before a thread sleeps, at most: less where that was in vain. About as long as it takes to be
  /// woken.
  std::chrono::nanoseconds spin = std::chrono::microseconds(100);
};

/// Those of one worker.
class Channels final : fabric::LinkUser {
 public:
  using Clock = std::chrono::steady_clock;

  /// One for each worker. Before the node starts. Their ends go before the node, and the node
  /// before them.
  static base::Result<std::vector<std::unique_ptr<Channels>>> onEach(
      node::Node& node, const ChannelsOptions& options);
  /// The one of a node with one worker.
  static base::Result<std::unique_ptr<Channels>> on(node::Node& node,
                                                    const ChannelsOptions& options);
  ~Channels() override = default;

  /// The reading end of the channel of this number: whoever writes to it finds it here. `capacity`
  /// is of the ring, in bytes: a power of two from 4,096 to 2^31. `from`: of no other node.
  base::Result<std::unique_ptr<Reader>> openReader(uint16_t number, uint64_t capacity,
                                                   std::optional<connect::NodeId> from = {});
  /// The writing end. Waits until the reader is there. Nobody else writes to it.
  base::Result<std::unique_ptr<Writer>> openWriter(connect::NodeId reader, uint16_t number,
                                                   std::chrono::nanoseconds timeout);
  /// The same for a thread that does not wait (opening.h). `mostRing`: a ring of more bytes is not
  /// written to, as messages by the device take as many bytes here.
  base::Result<std::unique_ptr<Opening>> beginWriter(connect::NodeId reader, uint16_t number,
                                                     std::chrono::nanoseconds timeout,
                                                     uint64_t mostRing = kMostCapacity);

  /// Whether a link of the worker is one of theirs.
  bool has(const fabric::Link& link) const { return &link.service() == memory_.get(); }
  /// From here on links that others offer are refused.
  void retire() { memory_->retire(); }

  /// One round of the worker: what has come is given to the ends. Never blocks. Any thread.
  size_t drive();

  /// Calls ready() until it is true, and not again then, or the time is over: first busily, then
  /// asleep. What comes to these ends ends the sleep: messages, room, and their loss. They are the
  /// calling thread's. Returns what ready() said last. A ready() that does something says true:
  /// what is there already wakes nobody.
  template <typename Ready>
  bool await(std::initializer_list<Ends> ends, std::chrono::nanoseconds timeout, Ready ready);
  /// What once() returns, which is called so until it does not say wouldBlock.
  template <typename Once>
  Outcome attempt(std::initializer_list<Ends> ends, std::chrono::nanoseconds timeout, Once once);

  /// For an event loop, instead of await(): from here on whatever ends a wait of the worker, and
  /// what comes to these ends, makes descriptor() readable. The loop looks at each of them once
  /// more before it sleeps, and calls disarm() before it looks again, whatever has come. It may
  /// sleep for ever if the far ends nudge(); else a wake-up may be missed. A writer that has found
  /// room is not to be among them: each release would wake it. One thread of the worker waits so,
  /// and no other one waits meanwhile.
  void arm(std::initializer_list<Ends> ends) { ticket_ = arm(ends, nullptr); }
  void disarm(std::initializer_list<Ends> ends);
  int descriptor() const { return worker_.descriptor(); }

 private:
  friend class Connections;
  friend class End;
  friend class Opening;
  friend class Reader;
  friend class Writer;

  Channels(node::Node& node, uint32_t worker, ChannelsOptions options,
           std::shared_ptr<Openings> openings, Bell bell)
      : node_(node),
        number_(worker),
        worker_(node.worker(worker)),
        options_(std::move(options)),
        openings_(std::move(openings)),
        bell_(std::move(bell)),
        spin_(options_.spin) {}
  static base::Result<std::unique_ptr<Channels>> onOne(node::Node& node, uint32_t worker,
                                                       const ChannelsOptions& options,
                                                       std::shared_ptr<Openings> openings);

  // fabric::LinkUser
  uint32_t faceFor(const connect::NewLink& link) const override;
  base::Result<std::vector<std::byte>> say(const connect::NewLink& link) override;
  base::Result<void> hear(const connect::NewLink& link, std::span<const std::byte> words) override;
  void down(connect::LinkId link, const std::string& reason) override;
  void notUp(connect::LinkId link, const std::string& reason) override;
  void ended(connect::LinkId link) override;

  static Clock::time_point deadlineOf(std::chrono::nanoseconds timeout) {
    constexpr std::chrono::hours kLongest{24 * 365};  // a time-out without end has none
    return Clock::now() + std::min<std::chrono::nanoseconds>(timeout, kLongest);
  }
  /// Of a number that may be a connection's.
  base::Result<std::unique_ptr<Opening>> open(connect::NodeId reader, uint16_t number,
                                              std::chrono::nanoseconds timeout);
  connect::LinkName nameOf(connect::NodeId reader, connect::NodeId writer, uint16_t number) const;
  End* waiting(const connect::NewLink& link) const;
  void driveAll();
  bool isUsed(connect::LinkId link) const;
  /// An end goes, also where there is no memory left. What the far end may still write to stays
  /// until its link has ended. `how`: behind its name, for the far end.
  void forget(End& end, const char* how, std::shared_ptr<void> memory) noexcept;
  void keepReason(connect::LinkId link, bool wasUp, const std::string& reason);
  connect::LinkId keep(End& end, std::shared_ptr<void> memory);

  uint64_t arm(std::initializer_list<Ends> ends, const fabric::Service* whose);
  template <typename Ready>
  bool awaitBusily(Clock::time_point deadline, Ready ready);
  template <typename Ready>
  bool awaitAsleep(std::initializer_list<Ends> ends, Clock::time_point deadline, Ready ready);
  void adaptSpin(std::chrono::nanoseconds slept);
  /// Gives signals and ends of operations to whom they are for.
  void dispatch();
  void give();
  void giveOut();
  void freeWhatIsDue();
  End* endOf(connect::LinkId link) const;
  base::Result<uint32_t> post(connect::LinkId link, const fabric::Request& request) {
    return memory_->post(link, std::span(&request, 1));
  }
  /// Requests of one end, beside which the device takes those of one publish() and what the link
  /// itself sends.
  size_t mostUnderWay() const { return worker_.options().sendWorkRequests - kRequestsBesides; }
  void blame(End& end, const std::string& reason);
  std::string reasonOf(const End& end);

  template <typename Do>
  static void forEach(std::initializer_list<Ends> lists, Do one) {
    for (Ends ends : lists) {
      for (End* end : ends) one(*end);
    }
  }

  static constexpr uint32_t kRequestsBesides = 8;

  node::Node& node_;
  const uint32_t number_;
  fabric::Worker& worker_;
  const ChannelsOptions options_;
  const std::shared_ptr<Openings> openings_;  // of the node
  const Bell bell_;                           // wakes threads of this worker
  std::atomic<std::chrono::nanoseconds> spin_;
  std::unique_ptr<fabric::OneSided> memory_;
  uint64_t ticket_ = 0;  // of arm(), by an event loop

  // As that of openings_, behind which it is taken.
  mutable std::mutex lock_;
  std::map<connect::LinkId, End*> ends_;  // that are linked
  Kept kept_;                             // until the link has ended
  Kept due_;                              // to be freed, by no round
  std::atomic<bool> isDue_{false};
};

template <typename Ready>
bool Channels::await(std::initializer_list<Ends> ends, std::chrono::nanoseconds timeout,
                     Ready ready) {
  auto deadline = deadlineOf(timeout);
  if (awaitBusily(deadline, ready)) return true;
  auto begin = Clock::now();
  bool came = awaitAsleep(ends, deadline, ready);
  adaptSpin(Clock::now() - begin);
  return came;
}

/// Whoever is to answer may want this processor.
template <typename Ready>
bool Channels::awaitBusily(Clock::time_point deadline, Ready ready) {
  constexpr int kLooks = 16;  // between those at the clock
  constexpr std::chrono::microseconds kAlone{10};
  auto begin = Clock::now();
  auto end = std::min(deadline, begin + spin_.load(std::memory_order_relaxed));
  for (auto now = begin;; now = Clock::now()) {
    for (int look = 0; look < kLooks; look++) {
      if (ready()) return true;
    }
    if (now >= end) return false;
    if (now - begin > kAlone) std::this_thread::yield();
  }
}

/// A wake-up can be missed: who publishes does not look at `sleeps` with the cost of a fence, and
/// what goes by the device has no signal when the far end is behind with taking them. So the first
/// sleeps are short, and none is for ever.
template <typename Ready>
bool Channels::awaitAsleep(std::initializer_list<Ends> ends, Clock::time_point deadline,
                           Ready ready) {
  using std::chrono::milliseconds;
  constexpr milliseconds kFirst{1};
  constexpr milliseconds kLast{256};
  for (auto most = kFirst;; most = std::min(most * 2, kLast)) {
    auto left = deadline - Clock::now();
    if (left <= left.zero()) return ready();
    uint64_t ticket = arm(ends, memory_.get());
    bool came = ready();
    if (!came) {
      worker_.wait(std::min<std::chrono::nanoseconds>(most, left), ticket, memory_.get());
      drive();
    }
    forEach(ends, [](End& end) { end.awake(); });
    if (came || ready()) return true;
  }
}

template <typename Once>
Outcome Channels::attempt(std::initializer_list<Ends> ends, std::chrono::nanoseconds timeout,
                          Once once) {
  Outcome got = Outcome::wouldBlock;
  await(ends, timeout, [&] {
    got = once();
    return got != Outcome::wouldBlock;
  });
  return got;
}

template <typename Once>
Outcome End::timed(std::chrono::nanoseconds timeout, Once once) {
  End* self = this;
  return all_.attempt({Ends(&self, 1)}, timeout, once);
}

}  // namespace verbena::fifo
