// SPDX-License-Identifier: Apache-2.0
//
// The ports of one open device. A device that one thread drives has one; each further completion
// vector that is used has a port of its own (Context), with its own lock, its own wires and its own
// thread. So threads that drive queues of different vectors share no lock, and no ring either.
//
// What belongs to a port: completion queues, by the vector they are created with; queue pairs, by
// their send completion queue; shared receive queues, by the first queue pair that uses them. A
// queue pair may all the same use a receive completion queue or a shared receive queue of another
// port: such a queue gets a lock of its own from then on (objects/shared_use.h).
//
// Every port knows every memory region, under the same key, and shows it to its peers, so a look at
// a key takes no lock but the port's own.
//
// Order of locks: `changes`, then the lock of one port and never of two, then that of a queue or an
// address handle that several ports use, then those of event queues and of Segments. Calls on the
// data path take a port's lock and what is below it.
#pragma once

#include <infiniband/verbs.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "softnic/device/limits.h"
#include "softnic/memory/atomics.h"
#include "softnic/memory/segments.h"
#include "softnic/objects/events.h"
#include "verbs/wiring.h"

namespace verbena::softnic {

struct Context;

class Ports {
 public:
  Ports(const verbs::Wiring& wires, Atomics chosen) : wiring(wires), atomics(chosen) {}

  /// The one that the application has opened. It owns this object.
  void begin(Context& first) { open_[0].store(&first, std::memory_order_relaxed); }
  Context& first() const { return *open_[0].load(std::memory_order_relaxed); }
  /// The port of a completion vector, opened if need be. Null and errno on failure. Any thread.
  Context* ofVector(uint32_t vector);
  /// Calls use(port) for each that is open, the first one last. One that is being opened is left
  /// out, unless the caller holds `changes`.
  template <typename Use>
  void forEach(Use use) const {
    for (size_t vector = open_.size(); vector-- > 0;) {
      // acquire pairs with the release in ofVector(): what is seen is complete
      if (Context* port = open_[vector].load(std::memory_order_acquire)) use(*port);
    }
  }
  /// Closes all but the first, when no object of theirs is left.
  void closeOthers();

  /// Held by who opens a port, or changes what all of them have.
  std::mutex changes;

  const verbs::Wiring wiring;
  const Atomics atomics;
  EventQueue<ibv_async_event> asyncEvents;
  Segments segments;
  std::atomic<uint32_t> nextPd{1};
  std::atomic<uint32_t> qpsMade{0};
  std::atomic<bool> fatalRaised{false};  // the application knows that the device has failed

 private:
  std::array<std::atomic<Context*>, kCompletionVectors> open_{};
};

}  // namespace verbena::softnic
