// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "forked.h"

namespace verbena::bench {

/// Another host, as far as networks go: a network namespace with a virtual cable between it and one
/// of this process, which leaves the machine's own. Both go with their processes. Needs root and
/// iproute2.
class FarHost {
 public:
  static constexpr const char* kNear = "10.209.17.1";
  static constexpr const char* kFar = "10.209.17.2";

  /// Before there are threads.
  explicit FarHost(const char* tool);

  /// From now on this process is on the far host. Before it has threads.
  void enter() const;

 private:
  const char* tool_;
  int network_ = -1;             // of the far host
  std::optional<Forked> there_;  // whose network it was at first
};

}  // namespace verbena::bench
