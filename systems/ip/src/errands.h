// SPDX-License-Identifier: Apache-2.0
//
// Work that one queue leaves to another one, whose thread has the channel for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace verbena::ip {

struct Errand {
  enum class Kind : uint8_t {
    sendToAll,  ///< by the first queue: `frame`, with its header
    askToRead,  ///< by the first queue: the peer is to read this queue's channel
    read,       ///< the peer's queue of this number has something
  };
  Kind kind;
  size_t peer = 0;  ///< its place among peers
  uint32_t queue = 0;
  std::vector<std::byte> frame{};
};

/// Any thread leaves, one takes.
class Errands {
 public:
  /// False: so many wait already that there is something wrong, or a storm of broadcasts.
  bool leave(Errand errand) {
    constexpr size_t kMost = 1024;
    std::lock_guard guard(lock_);
    if (waiting_.size() >= kMost) return false;
    waiting_.push_back(std::move(errand));
    return true;
  }
  std::vector<Errand> take() {
    std::lock_guard guard(lock_);
    return std::exchange(waiting_, {});
  }

 private:
  std::mutex lock_;
  std::vector<Errand> waiting_;
};

}  // namespace verbena::ip
