// SPDX-License-Identifier: Apache-2.0
//
// Completion queues and their channels.
#pragma once

#include <infiniband/verbs.h>

#include <atomic>
#include <cstdint>
#include <memory>

#include "softnic/objects/events.h"
#include "softnic/objects/shared_use.h"

namespace verbena::softnic {

struct Context;
struct CompletionQueue;

struct CompletionChannel : ibv_comp_channel {
  EventQueue<CompletionQueue*> events;
};

/// All calls under the lock of its port and SharedUse::hold().
struct CompletionQueue : ibv_cq {
  /// When to raise an event on the channel; raising one disarms.
  enum class Armed { No, ForSolicited, ForAny };

  /// False if the queue has overrun, now or before: the completion is lost.
  bool push(const ibv_wc& completion, bool solicited);
  /// Moves up to `count` completions out.
  int take(ibv_wc* into, int count);
  /// False and no change if more completions wait than would fit.
  bool resize(int entries);

  CompletionChannel* shared() const { return static_cast<CompletionChannel*>(channel); }

  /// Makes room, which costs no memory before it is used. Throws std::bad_alloc.
  void allocate(uint32_t entries);

  Context* home = nullptr;  // its port
  SharedUse use;
  struct Deleted {
    void operator()(ibv_wc* entries) const { ::operator delete(entries); }
  };
  using Ring = std::unique_ptr<ibv_wc[], Deleted>;
  static Ring ringOf(uint32_t entries);

  Ring ring;
  uint32_t capacity = 0;  // of it
  uint32_t first = 0;
  uint32_t count = 0;
  Armed armed = Armed::No;
  bool overrun = false;
  std::atomic<uint32_t> users{0};  // queue pairs, once for each direction
  uint32_t completionEventsTaken = 0;
  uint32_t asyncEventsTaken = 0;
};

}  // namespace verbena::softnic
