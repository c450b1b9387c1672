// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace verbena::fabric {

/// Numbers that any thread puts on and one thread takes off all together, so that none can have
/// been taken and come back while another looks at it.
class ReturnStack {
 public:
  explicit ReturnStack(uint32_t numbers) : below_(numbers) {}

  /// A number that is not on the stack.
  void push(uint32_t number) {
    Chain chain(*this);
    chain.add(number);
    chain.push();
  }

  /// Several numbers that are put on together.
  class Chain {
   public:
    explicit Chain(ReturnStack& stack) : stack_(stack) {}

    /// One that is neither on the stack nor in a chain.
    void add(uint32_t number) {
      stack_.below_[number] = top_;
      if (top_ == 0) lowest_ = number;
      top_ = number + 1;
    }
    void push() {
      if (top_ == 0) return;
      uint32_t below = stack_.top_.load(std::memory_order_relaxed);
      do {
        stack_.below_[lowest_] = below;
        // release pairs with takeAll(); seq_cst for Waiter::wakeIfArmed(), which follows
      } while (!stack_.top_.compare_exchange_weak(below, top_, std::memory_order_seq_cst,
                                                  std::memory_order_relaxed));
      top_ = 0;
    }

   private:
    ReturnStack& stack_;
    uint32_t top_ = 0;  // number + 1; 0: empty
    uint32_t lowest_ = 0;
  };

  /// Of another thread than the one that takes it is a guess.
  bool empty() const { return top_.load(std::memory_order_seq_cst) == 0; }

  template <typename Take>
  void takeAll(Take take) {
    if (top_.load(std::memory_order_seq_cst) == 0) return;
    for (uint32_t next = top_.exchange(0, std::memory_order_acquire); next != 0;) {
      uint32_t number = next - 1;
      next = below_[number];  // before take(), which may let it be pushed again
      take(number);
    }
  }

 private:
  std::atomic<uint32_t> top_{0};  // number + 1; 0: empty
  std::vector<uint32_t> below_;
};

}  // namespace verbena::fabric
