// SPDX-License-Identifier: Apache-2.0
#include "base/fork.h"

#include <pthread.h>

#include "base/descriptor.h"

namespace verbena::base {

std::atomic<bool> isForked{false};

void watchForks() {
  [[maybe_unused]] static const int registered = pthread_atfork(nullptr, nullptr, [] {
    isForked.store(true, std::memory_order_relaxed);  // it has one thread
    FileDescriptor::closeAll();
  });
}

}  // namespace verbena::base
