// SPDX-License-Identifier: Apache-2.0
//
// The launcher's standard input, on its way to rank 0.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "job/polling.h"

namespace verbena::launch {

class Input {
 public:
  /// `passOn` gets what was read; nothing at the end.
  using PassOn = std::function<void(std::span<const std::byte>)>;

  void watch(job::Poll& poll, const PassOn& passOn);
  /// So many bytes have been passed on: as many may be read.
  void taken(size_t bytes) { underWay_ -= bytes; }
  /// The terminal may be ours again.
  void retry() { isBackground_ = false; }

 private:
  void read(const PassOn& passOn);

  size_t underWay_ = 0;
  bool ended_ = false;
  bool isBackground_ = false;
};

}  // namespace verbena::launch
