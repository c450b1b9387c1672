// SPDX-License-Identifier: Apache-2.0
#include "fabric/waiter.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

namespace verbena::fabric {
namespace {

/// Completions that wake nobody are found after this time.
constexpr std::chrono::milliseconds kUnarmedWait{1};

timespec toTimespec(std::chrono::nanoseconds duration) {
  if (duration.count() < 0) return {};
  auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration);
  return {static_cast<time_t>(seconds.count()), static_cast<long>((duration - seconds).count())};
}

}  // namespace

base::Result<std::unique_ptr<Waiter>> Waiter::create(const verbs::CompletionChannel& channel,
                                                     const verbs::AsyncEvents& events,
                                                     const std::string& device) {
  base::FileDescriptor own(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  base::FileDescriptor timer(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  base::FileDescriptor all(epoll_create1(EPOLL_CLOEXEC));
  if (!own || !timer || !all) return base::Error{"create an event descriptor", device, errno, ""};
  std::unique_ptr<Waiter> waiter(
      new Waiter(channel, events, std::move(own), std::move(timer), std::move(all)));
  if (auto listening = waiter->listenToAll(device); !listening) return listening.error();
  return waiter;
}

base::Result<void> Waiter::listenToAll(const std::string& device) {
  for (int source : {own_.get(), timer_.get(), channel_.fd(), events_.fd()}) {
    if (auto listening = listen(source, device); !listening) return listening;
  }
  return {};
}

base::Result<void> Waiter::listen(int source, const std::string& device) {
  epoll_event readable{.events = EPOLLIN, .data = {.fd = source}};
  if (epoll_ctl(all_.get(), EPOLL_CTL_ADD, source, &readable) == 0) return {};
  return base::Error{"watch an event descriptor", device, errno, ""};
}

base::Result<void> Waiter::listenTo(int descriptor, const std::string& device) {
  other_ = descriptor;
  return listen(descriptor, device);
}

void Waiter::remindAfter(std::chrono::milliseconds time) {
  itimerspec once{{}, toTimespec(time)};
  timerfd_settime(timer_.get(), 0, &once, nullptr);
  reminds_ = true;
}

void Waiter::wake() {
  // One write ends the wait; those who come later find it disarmed.
  if (!armed_.exchange(false, std::memory_order_seq_cst)) return;
  uint64_t one = 1;
  [[maybe_unused]] ssize_t written = write(own_.get(), &one, sizeof one);
}

/// Others that have armed look again: they would sleep unarmed. A sleeper stays armed.
void Waiter::disarm() {
  std::lock_guard guard(lock_);
  if (someoneSleeps_) return;
  armed_.store(false, std::memory_order_relaxed);
  sleeps_.fetch_add(1, std::memory_order_relaxed);
}

bool Waiter::wait(std::chrono::nanoseconds timeout, uint64_t ticket) {
  bool isArmed = queuesArmed_.load(std::memory_order_relaxed);
  if (!isArmed && (timeout.count() < 0 || timeout > kUnarmedWait)) timeout = kUnarmedWait;
  pollfd sources[] = {{own_.get(), POLLIN, 0},
                      {other_, POLLIN, 0},
                      {channel_.fd(), POLLIN, 0},
                      {events_.fd(), POLLIN, 0}};
  block(sources, timeout, ticket);
  return sources[3].revents != 0;
}

void Waiter::waitForOthers(std::chrono::nanoseconds timeout, uint64_t ticket) {
  if (hearsDevice_.exchange(false)) {
    for (int gone : {channel_.fd(), events_.fd()}) {
      epoll_ctl(all_.get(), EPOLL_CTL_DEL, gone, nullptr);
    }
  }
  pollfd own[] = {{own_.get(), POLLIN, 0}, {other_, POLLIN, 0}};
  block(own, timeout, ticket);
}

void Waiter::block(std::span<pollfd> sources, std::chrono::nanoseconds timeout, uint64_t ticket) {
  std::unique_lock held(lock_);
  if (ticket != sleeps_.load(std::memory_order_relaxed)) return;
  if (someoneSleeps_) return awaitSleeper(held, timeout, ticket);
  someoneSleeps_ = true;
  held.unlock();
  timespec left = toTimespec(timeout);
  int ready = ppoll(sources.data(), sources.size(), timeout.count() < 0 ? nullptr : &left, nullptr);
  if (ready > 0 && sources.size() > 2 && sources[2].revents != 0) takeEvents();
  held.lock();
  getUp();
}

void Waiter::awaitSleeper(std::unique_lock<std::mutex>& held, std::chrono::nanoseconds timeout,
                          uint64_t ticket) {
  auto isUp = [&] { return ticket != sleeps_.load(std::memory_order_relaxed); };
  if (timeout.count() < 0) return up_.wait(held, isUp);
  constexpr std::chrono::hours kLongest{1};  // a clock's time plus more may be none
  up_.wait_for(held, std::min<std::chrono::nanoseconds>(timeout, kLongest), isUp);
}

/// Under the lock.
void Waiter::getUp() {
  armed_.store(false, std::memory_order_seq_cst);
  if (std::exchange(reminds_, false)) {
    itimerspec never{};
    timerfd_settime(timer_.get(), 0, &never, nullptr);  // which takes what it has said, too
  }
  uint64_t count = 0;
  [[maybe_unused]] ssize_t taken = read(own_.get(), &count, sizeof count);
  if (other_ >= 0) takeOther();
  someoneSleeps_ = false;
  sleeps_.fetch_add(1, std::memory_order_relaxed);
  up_.notify_all();
}

void Waiter::takeOther() {
  char bytes[64];
  while (read(other_, bytes, sizeof bytes) == ssize_t{sizeof bytes}) {
  }
}

void Waiter::takeEvents() {
  for (;;) {
    base::Result<std::optional<void*>> event = channel_.takeEvent();
    if (!event || !*event) return;
  }
}

}  // namespace verbena::fabric
