// SPDX-License-Identifier: Apache-2.0
//
// A word in shared memory that says whether a thread lives, for other processes to read without a
// system call.
//
// It is a robust futex of the kernel: whoever holds it keeps a list of such words, and when the
// thread ends, however it ends, the kernel marks them. A robust mutex would do the same, but keeps
// that list's pointers in the shared memory, and both sides write through them. Here the list is in
// memory of our own, and nothing in the shared word is ever followed.
#pragma once

#include <linux/futex.h>

#include <atomic>
#include <cstdint>

namespace verbena::host {

class SignOfLife {
 public:
  SignOfLife() = default;
  SignOfLife(const SignOfLife&) = delete;
  SignOfLife& operator=(const SignOfLife&) = delete;

  /// From here on `word` says that the calling thread lives, until end() or its death. The thread
  /// must use no robust mutex: the kernel keeps one list for each. False and errno on failure.
  bool begin(std::atomic<uint32_t>& word);
  /// By the same thread.
  void end();

  /// Whether nobody gives the sign any more.
  static bool over(const std::atomic<uint32_t>& word) {
    // acquire pairs with the release in end() and the kernel's marking: what the thread had
    // written before is seen
    uint32_t holder = word.load(std::memory_order_acquire);
    return holder == 0 || (holder & FUTEX_OWNER_DIED) != 0;
  }

 private:
  robust_list_head head_{};
  robust_list entry_{};
  std::atomic<uint32_t>* word_ = nullptr;
};

}  // namespace verbena::host
