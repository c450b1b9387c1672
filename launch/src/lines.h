// SPDX-License-Identifier: Apache-2.0
//
// A rank's output, cut into whole lines.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace verbena::launch {

class Lines {
 public:
  /// A line that is longer is passed on in pieces.
  static constexpr size_t kMostBytes = 64 << 10;
  using Sink = std::function<void(std::string_view wholeLines)>;

  void add(std::string_view bytes, const Sink& sink);
  /// What is left: a last line without an end.
  void finish(const Sink& sink);

 private:
  std::string begun_;
};

}  // namespace verbena::launch
