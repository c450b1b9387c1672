// SPDX-License-Identifier: Apache-2.0
#include "base/fork.h"

#include <pthread.h>

#include "base/descriptor.h"

namespace verbena::base {
namespace {

std::atomic<int> objects{0};

/// The new process has one thread.
void begin() {
  bool wasInUse = objects.load(std::memory_order_relaxed) != 0;
  if (wasInUse) isForked.store(true, std::memory_order_relaxed);
  FileDescriptor::endFork(wasInUse);
}

}  // namespace

std::atomic<bool> isForked{false};

InUse::InUse() {
  [[maybe_unused]] static const int registered = pthread_atfork(
      [] { FileDescriptor::beginFork(); }, [] { FileDescriptor::endFork(false); }, begin);
  objects.fetch_add(1, std::memory_order_relaxed);
}

InUse::~InUse() {
  objects.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace verbena::base
