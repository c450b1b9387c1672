// SPDX-License-Identifier: Apache-2.0
#include "connect/destroyer.h"

#include <cerrno>

#include "base/background.h"
#include "base/survive.h"

namespace verbena::connect {

base::Result<void> Destroyer::start() {
  if (base::startInBackground(thread_, [this] { run(); })) return {};
  return base::Error{"start the thread that destroys links", "", errno, ""};
}

Destroyer::~Destroyer() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard held(lock_);
    ends_ = true;
    changed_.notify_one();
  }
  thread_.join();
}

void Destroyer::expect(size_t links) {
  std::lock_guard held(lock_);
  drained_.reserve(drained_.size() + links);
}

void Destroyer::destroy(LinkId id) {
  std::lock_guard held(lock_);
  drained_.push_back(id);
  changed_.notify_one();
}

void Destroyer::run() {
  std::unique_lock held(lock_);
  while (true) {
    changed_.wait(held, [this] { return ends_ || !drained_.empty(); });
    if (drained_.empty()) return;
    LinkId id = drained_.front();
    drained_.erase(drained_.begin());
    held.unlock();
    base::survive([&] { owner_.destroy(id); });
    held.lock();
  }
}

}  // namespace verbena::connect
