// SPDX-License-Identifier: Apache-2.0
//
// FIFO channels between nodes: one writer, one reader each, under a number of the reader's
// (docs/channel.md). A service of a node. It has no thread: whoever calls an end of a channel does
// the rounds of all.
//
// Threads: an end is used by one thread at a time, ends of one node by as many as there are.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
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
#include "node/node.h"

namespace verbena::fifo {

class Connections;
class Reader;
class Writer;

/// Ends of one node, where one thread waits.
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
  uint32_t channels = 128;  ///< that are linked at a time
  /// Memory, with ends on the same host whose nodes share it, too; else all goes by the device.
  bool share = true;
  std::string folder{};  ///< of rings; empty: defaultFolder() (names.h)
  /// Before a thread sleeps, at most: less where that was in vain. About as long as it takes to be
  /// woken.
  std::chrono::nanoseconds spin = std::chrono::microseconds(100);
};

class Channels final : fabric::LinkUser {
 public:
  using Clock = std::chrono::steady_clock;

  /// Before the node starts. Its ends go before the node, and the node before this.
  static base::Result<std::unique_ptr<Channels>> on(node::Node& node,
                                                    const ChannelsOptions& options);
  ~Channels() override = default;

  /// The reading end of the channel of this number: whoever writes to it finds it here. `capacity`
  /// is of the ring, in bytes: a power of two from 4,096 to 2^31.
  base::Result<std::unique_ptr<Reader>> openReader(uint16_t number, uint64_t capacity);
  /// The writing end. Waits until the reader is there. Nobody else writes to it.
  base::Result<std::unique_ptr<Writer>> openWriter(connect::NodeId reader, uint16_t number,
                                                   std::chrono::nanoseconds timeout);

  /// Whether a link of the worker is one of theirs.
  bool has(const fabric::Link& link) const { return &link.service() == memory_.get(); }
  /// From here on links that others offer are refused.
  void retire() { memory_->retire(); }

  /// One round of the node: what has come is given to the ends. Never blocks. Any thread.
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

 private:
  friend class Connections;
  friend class End;
  friend class Reader;
  friend class Writer;

  Channels(node::Node& node, ChannelsOptions options, Bell bell)
      : node_(node), options_(std::move(options)), bell_(std::move(bell)), spin_(options_.spin) {}

  // fabric::LinkUser
  base::Result<std::vector<std::byte>> say(const connect::NewLink& link) override;
  base::Result<void> hear(const connect::NewLink& link, std::span<const std::byte> words) override;
  void down(connect::LinkId link, const std::string& reason) override;
  void notUp(connect::LinkId link, const std::string& reason) override;
  void ended(connect::LinkId link) override;

  static Clock::time_point deadlineOf(std::chrono::nanoseconds timeout) {
    constexpr std::chrono::hours kLongest{24 * 365};  // a time-out without end has none
    return Clock::now() + std::min<std::chrono::nanoseconds>(timeout, kLongest);
  }
  base::Result<std::unique_ptr<Writer>> makeWriter(connect::NodeId reader, uint16_t number,
                                                   std::chrono::nanoseconds timeout);
  connect::LinkName nameOf(connect::NodeId reader, connect::NodeId writer, uint16_t number) const;
  bool doesWrite(const connect::NewLink& link) const;
  End* waiting(const connect::NewLink& link);
  base::Result<void> linkWriter(Writer& writer, std::chrono::nanoseconds timeout);
  bool awaitEndOfFormer(connect::NodeId reader, connect::LinkName name, Clock::time_point deadline);
  bool isUsed(connect::LinkId link);
  /// An end goes, also where there is no memory left. What the far end may still write to stays
  /// until its link has ended. `how`: behind its name, for the far end.
  void forget(End& end, const char* how, std::shared_ptr<void> memory) noexcept;
  void keepReason(connect::LinkId link, bool wasUp, const std::string& reason);
  connect::LinkId keep(End& end, std::shared_ptr<void> memory);

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
  End* endOf(connect::LinkId link);
  base::Result<uint32_t> post(connect::LinkId link, const fabric::Request& request) {
    return memory_->post(link, std::span(&request, 1));
  }
  /// Requests of one end, beside which the device takes those of one publish() and what the link
  /// itself sends.
  size_t mostUnderWay() const {
    return node_.worker().options().sendWorkRequests - kRequestsBesides;
  }
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
  const ChannelsOptions options_;
  const Bell bell_;  // wakes threads of this node
  std::atomic<std::chrono::nanoseconds> spin_;
  std::unique_ptr<fabric::OneSided> memory_;

  // Rounds take it while they hold a link's turn: neither turn nor manager is used under it.
  std::mutex lock_;
  std::map<uint16_t, Reader*> readers_;                              // without a writer yet
  std::map<std::pair<connect::NodeId, uint16_t>, Writer*> writers_;  // without a reader yet
  Connections* connections_ = nullptr;
  uint16_t lastConnection_ = 0;  // that this node has opened
  std::map<connect::LinkId, End*> ends_;
  Kept kept_;  // until the link has ended
  Kept due_;   // to be freed, by no round
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
    // Armed before the ends say that they sleep: a wake that ready() has used up, and did not get
    // enough by, ends the wait all the same.
    uint64_t ticket = node_.worker().arm(memory_.get());
    forEach(ends, [](End& end) { end.aboutToSleep(); });
    drive();
    bool came = ready();
    if (!came) {
      node_.worker().wait(std::min<std::chrono::nanoseconds>(most, left), ticket, memory_.get());
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
