// SPDX-License-Identifier: Apache-2.0
//
// One-sided memory as a service of the fabric: operations between a local region and what a key of
// a peer names, without its processor (docs/fabric.md has what is promised).
//
// Threads: any thread may post on any link. It may wait for another thread's post on that link,
// never for a device or a peer. What is done is polled by one thread at a time, and signals are
// taken by one.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "fabric/link_user.h"
#include "fabric/mpsc_ring.h"
#include "fabric/one_sided_link.h"
#include "fabric/relinks.h"
#include "fabric/request.h"
#include "fabric/service.h"
#include "fabric/signals.h"

namespace verbena::fabric {

/// The name of the one link for one-sided operations that a worker has with each peer.
inline constexpr connect::LinkName kOneSided{2, 0};

struct OneSidedOptions {
  uint32_t links = 256;   ///< of the service
  uint32_t signals = 32;  ///< that one link may bring and nobody has taken yet
  /// What can go by memory that both processes map does. Both ends have to have it so.
  bool mapping = true;
  LinkUser* user = nullptr;  ///< who says and hears more; lives as long
};

class OneSided final : public Service {
 public:
  /// With room for what all links may have open. It is added to the worker by its owner, and lives
  /// as long.
  static base::Result<std::unique_ptr<OneSided>> on(Worker& worker,
                                                    const OneSidedOptions& options = {});

  std::unique_ptr<Link> newLink(Worker& worker, uint32_t place) override;
  base::Result<void> judge(const connect::NewLink& link) const override;
  base::Error noPlace(const connect::NewLink& link) const override;
  uint32_t faceFor(const connect::NewLink& link, uint32_t faces) const override;
  void down(connect::LinkId link, const std::string& reason) override;
  void notUp(connect::LinkId link, const std::string& reason) override;
  size_t receive() override;
  void drain() override;
  bool armArrivals() override { return signals_->arrivals().arm() == 0; }
  bool hasArrivals() const override { return !done_.empty() || !signals_->empty(); }

  /// How many of them were posted; fewer: there is no room for more now, or the next one is
  /// refused, which is told of when it comes first. The error is of the first, and costs nothing.
  /// ENOTCONN: the link is not up.
  base::Result<uint32_t> post(connect::LinkId link, std::span<const Request> requests);
  /// How operations of a link go; nothing if it is not up.
  std::optional<Way> way(connect::LinkId link);
  /// What a link has done; nothing if it is not there. No lock.
  std::optional<LinkCounts> counts(connect::LinkId link) const;
  /// Those that are up; fills what there is room for. No lock.
  size_t links(std::span<connect::LinkId> up) const;

  /// From here on links that others offer are refused.
  void retire() { isRetired_.store(true, std::memory_order_relaxed); }
  /// Takes what is done; returns how many. Worker::progress() brings it. Whoever does not poll has
  /// no room to post after a while.
  size_t poll(std::span<Done> done);
  /// Waits until everything that any thread had posted on any link before this call has ended,
  /// however it has, and what was done can be seen at its target. poll() tells of it as ever, and
  /// has it all by then. `round` is a round of the node, by default Worker::progress(). Looks
  /// busily for a moment, then sleeps. False: the time is over. What is posted meanwhile is not
  /// waited for. Any thread.
  bool quiet(std::chrono::nanoseconds timeout, const std::function<void()>& round = {});
  /// How many operations have ended otherwise than done, of all links there have been. Any thread.
  uint64_t failed() const { return failed_.load(std::memory_order_relaxed); }
  /// Takes signals of peers; returns how many. Who does not take them keeps those peers from
  /// signalling more.
  size_t takeSignals(std::span<Signal> signals);

 private:
  friend class OneSidedLink;
  friend class Quiet;

  OneSided(Worker& worker, const OneSidedOptions& options, std::unique_ptr<Signals> signals,
           Registered words, verbs::MemoryRegion flushed);

  /// So many more may be open: what is done has its place until it is polled.
  uint32_t reserve(uint32_t wanted);
  /// release pairs with reserve(): what was polled from the places is read
  void giveBack(uint32_t count) {
    if (count != 0) open_.fetch_sub(count, std::memory_order_release);
  }
  void tell(std::span<const Done> done);
  void handOut();
  void arrived(const ibv_wc& done);
  base::Result<uint32_t> postChain(connect::LinkId link, std::span<const Request> requests);

  Worker& worker_;
  const OneSidedOptions options_;
  std::unique_ptr<Signals> signals_;
  Registered words_;             // what far flushes read, and where our own flushes put it
  verbs::MemoryRegion flushed_;  // of the first, for others to read
  std::atomic<bool> isRetired_{false};
  Relinks relinks_;  // of the job thread
  MpscRing<Done> done_;
  std::atomic<uint64_t> failed_{0};
  alignas(64) std::atomic<uint64_t> open_{0};  // posted and not polled yet
};

}  // namespace verbena::fabric
