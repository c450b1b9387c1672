// SPDX-License-Identifier: Apache-2.0
#include "job/networked_rank.h"

#include <cerrno>
#include <string>

#include "base/background.h"
#include "base/survive.h"

namespace verbena::job {

base::Error NetworkedRank::cannotPublish(int code, const char* advice) const {
  return base::Error{"publish the address", "rank " + std::to_string(party_.rank), code, advice};
}

base::Result<void> NetworkedRank::publish(std::span<const std::byte> address) {
  std::unique_lock lock(mutex_);
  if (hasPublished_) return cannotPublish(0, "it has published one already");
  hasPublished_ = true;
  toPublish_.emplace(address.begin(), address.end());
  wake_.ring();
  taken_.wait(lock, [this] { return !toPublish_ || isOver_; });
  if (!toPublish_) return {};
  return cannotPublish(ECONNRESET, "rank 0, which passes addresses on, has ended");
}

base::Result<void> NetworkedRank::start() {
  bool started = wake_.fd() >= 0 && base::startInBackground(thread_, [this] { run(); });
  if (started) return {};
  return base::Error{"start a thread that speaks with the other ranks", "", errno, ""};
}

void NetworkedRank::leave() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard lock(mutex_);
    isToLeave_ = true;
  }
  wake_.ring();
  thread_.join();
}

void NetworkedRank::run() {
  while (!isCutOff() && !(isLeaving_ && hasLeft())) {
    base::survive([this] { round(); });
  }
  std::lock_guard lock(mutex_);
  isOver_ = true;
  taken_.notify_all();
}

void NetworkedRank::round() {
  Poll poll;
  poll.watch(wake_.fd(), POLLIN, [this] { wake_.silence(); });
  watch(poll);
  poll.wait();
  takeOrders();
}

void NetworkedRank::takeOrders() {
  std::unique_lock lock(mutex_);
  if (toPublish_ && !isCutOff()) {
    publishNow(*toPublish_);
    toPublish_.reset();
    taken_.notify_all();
  }
  bool begins = isToLeave_ && !isLeaving_;
  lock.unlock();
  if (!begins) return;
  isLeaving_ = true;
  beginToLeave();
}

}  // namespace verbena::job
