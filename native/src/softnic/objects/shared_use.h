// SPDX-License-Identifier: Apache-2.0
//
// The lock of a queue that queue pairs of several ports use. Mostly there is one port alone, whose
// lock guards the queue; then this one is not taken.
#pragma once

#include <mutex>

#include "host/lock.h"

namespace verbena::softnic {

class SharedUse {
 public:
  /// By who holds the lock of the queue's own port, before one more port knows the queue. Those
  /// that know it may be looking.
  void begin() {
    if (!several_) several_ = true;
  }
  /// By who holds a port's lock. Empty where that is enough.
  std::unique_lock<host::Lock> hold() {
    return several_ ? std::unique_lock(lock_) : std::unique_lock<host::Lock>();
  }

 private:
  bool several_ = false;
  host::Lock lock_;
};

}  // namespace verbena::softnic
