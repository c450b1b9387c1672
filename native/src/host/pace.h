// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <thread>

#include "host/futex.h"

namespace verbena::host {

/// Paces looks at something that another process changes: most are gone in a moment.
class Pace {
 public:
  /// Waits a while, longer and longer.
  void rest() {
    if (looks_++ < kShortLooks) {
      for (int i = 0; i < kPauses; i++) pause();
    } else {
      std::this_thread::sleep_for(kLongRest);
    }
  }
  bool rested() const { return looks_ > kShortLooks; }

 private:
  static constexpr int kShortLooks = 200;
  static constexpr int kPauses = 32;
  static constexpr std::chrono::microseconds kLongRest{500};
  int looks_ = 0;
};

}  // namespace verbena::host
