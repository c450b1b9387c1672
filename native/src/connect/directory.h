// SPDX-License-Identifier: Apache-2.0
//
// The live connection of each node, found without a lock.
#pragma once

#include <array>
#include <atomic>
#include <memory>

#include "connect/queue_pairs.h"

namespace verbena::connect {

/// Two levels of 256, as few of the 65,536 ids are ever used. One thread writes, any reads.
class Directory {
 public:
  Directory() = default;
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  ~Directory() {
    // Relaxed: nobody else is here any more.
    for (auto& page : pages_) delete page.load(std::memory_order_relaxed);
  }

  ConnectionId find(NodeId node) const {
    // Acquire pairs with the release in set() that published the page: its entries are zeroed.
    const Page* page = pages_[node >> 8].load(std::memory_order_acquire);
    // Acquire pairs with the release in set(): whoever finds a connection sees what the job thread
    // has done to bring it up.
    return page == nullptr ? 0 : (*page)[node & 255].load(std::memory_order_acquire);
  }

  /// 0 for none. By the one writing thread.
  void set(NodeId node, ConnectionId id) {
    Page* page = pages_[node >> 8].load(std::memory_order_relaxed);  // only this thread stores
    if (page == nullptr) {
      page = new Page{};
      pages_[node >> 8].store(page, std::memory_order_release);  // pairs with find()
    }
    (*page)[node & 255].store(id, std::memory_order_release);  // pairs with find()
  }

 private:
  using Page = std::array<std::atomic<ConnectionId>, 256>;
  std::array<std::atomic<Page*>, 256> pages_{};
};

}  // namespace verbena::connect
