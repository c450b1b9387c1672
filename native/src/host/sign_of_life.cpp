// SPDX-License-Identifier: Apache-2.0
#include "host/sign_of_life.h"

#include <sys/syscall.h>
#include <unistd.h>

namespace verbena::host {

bool SignOfLife::begin(std::atomic<uint32_t>& word) {
  word_ = &word;
  // relaxed: nobody looks before the owner shows, with a release, that the word is in place
  word.store(static_cast<uint32_t>(gettid()), std::memory_order_relaxed);
  // A list of one entry. The kernel finds the word at a distance from it.
  entry_.next = &head_.list;
  head_.list.next = &entry_;
  head_.futex_offset =
      static_cast<long>(reinterpret_cast<uintptr_t>(&word) - reinterpret_cast<uintptr_t>(&entry_));
  return syscall(SYS_set_robust_list, &head_, sizeof head_) == 0;
}

void SignOfLife::end() {
  head_.list.next = &head_.list;               // the kernel looks when the thread ends, not before
  word_->store(0, std::memory_order_release);  // pairs with over()
}

}  // namespace verbena::host
