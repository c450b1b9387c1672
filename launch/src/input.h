// SPDX-License-Identifier: Apache-2.0
//
// The launcher's standard input, on its way to the hosts whose ranks read it.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "job/polling.h"

namespace verbena::launch {

class Input {
 public:
  /// `passOn` gets what was read; nothing at the end.
  using PassOn = std::function<void(std::span<const std::byte>)>;

  /// So many hosts get all of it.
  explicit Input(size_t hosts) : underWay_(hosts) {}

  void watch(job::Poll& poll, const PassOn& passOn);
  /// So many bytes have been passed on by a host: as many may be read. False if it never got them.
  bool taken(size_t host, size_t bytes) {
    if (bytes > underWay_[host]) return false;
    underWay_[host] -= bytes;
    return true;
  }

 private:
  void read(const PassOn& passOn);

  std::vector<size_t> underWay_;
  bool ended_ = false;
  bool isBackground_ = false;  ///< the terminal was somebody else's when it was looked at last
};

}  // namespace verbena::launch
