// SPDX-License-Identifier: Apache-2.0
#include "softnic/device/service.h"

#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <mutex>

#include "base/background.h"
#include "base/clock.h"
#include "host/futex.h"
#include "softnic/device/context.h"

namespace verbena::softnic {

bool Service::start() {
  if (!base::startInBackground(thread_, [this] { serve(); })) return false;
  int failure = begun_.get_future().get();
  if (failure != 0) errno = failure;
  return failure == 0;
}

void Service::stop() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard guard(context_.lock);
    stopping_ = true;
    wake();
  }
  thread_.join();
}

void Service::expectBell() {
  pollsSeen_ = polls_;
  pollsAtBell_ = polls_;
  // seq_cst: the caller's look at the rings comes after this, as in serve(). Pairs with
  // ShmLink::ringBell(), whose own look is not so ordered and may miss it by a tick.
  context_.port().asleep.store(1, std::memory_order_seq_cst);
  if (context_.tcp != nullptr) context_.tcp->expectArrivals();
}

void Service::wake() {
  asleep_ = false;
  ring();
}

void Service::ring() {
  PortMemory& port = context_.port();
  port.doorbell.fetch_add(1, std::memory_order_release);  // pairs with the acquire in serve()
  host::futexWake(port.doorbell);
}

void Service::serve() {
  pthread_setname_np(pthread_self(), "softnic");
  bool living = signOfLife_.begin(context_.port().alive);
  begun_.set_value(living ? 0 : errno);
  if (!living) return;
  std::unique_lock guard(context_.lock);
  PortMemory& port = context_.port();
  while (!stopping_) {
    uint64_t now = base::monotonicNs();
    context_.nowNs = now;
    bool moved = false;
    bool whole = context_.attempt([&] { moved = pass(now); });
    moved |= context_.makeCopies(guard);
    bool polled = isPolled(pollsSeen_);
    tick_ = moved || polled ? kFastestTickNs : std::min(tick_ * 2, kSlowestTickNs);
    // acquire pairs with the release of whoever rings: what it published is seen by the next look
    uint32_t bell = port.doorbell.load(std::memory_order_acquire);
    // seq_cst: the look at the rings below comes after this. A peer's look at `asleep` is not so
    // ordered after its publishing; see ShmLink::ringBell().
    port.asleep.store(polled ? 0 : 1, std::memory_order_seq_cst);
    if (!polled && whole && (moved || context_.hasWork())) {
      giveWay(guard);
      continue;
    }
    bool ticking = polled || !whole || context_.busy();
    int64_t limit = ticking ? static_cast<int64_t>(tickNs(now)) : host::kForever;
    asleep_ = !ticking;
    guard.unlock();
    host::futexWait(port.doorbell, bell, limit);
    guard.lock();
    asleep_ = false;
  }
  signOfLife_.end();
}

/// False if there was nothing to do.
bool Service::pass(uint64_t now) {
  if (context_.links.someNotOpened()) context_.links.accept();
  context_.links.dropFreed();
  bool moved = context_.progress();
  moved |= context_.runTimers(now);
  context_.links.remindPeers();
  return moved;
}

/// Lets an application thread in between two passes.
void Service::giveWay(std::unique_lock<host::Lock>& guard) {
  guard.unlock();
  std::this_thread::yield();
  guard.lock();
}

/// Until the next tick, or the end of the first pause if that comes earlier.
uint64_t Service::tickNs(uint64_t now) {
  uint64_t next = context_.nextDeadlineNs();
  if (next == 0) return tick_;
  return next <= now ? 1 : std::min(tick_, next - now);
}

}  // namespace verbena::softnic
