// SPDX-License-Identifier: Apache-2.0
//
// When the far end of a stream is to be heard of, and when it has been silent for too long.
#pragma once

#include <algorithm>
#include <cstdint>

namespace verbena::launch {

/// Of one far end. Times are those of base::monotonicNs().
class Silence {
 public:
  /// Nothing is judged before begin().
  void begin(uint64_t limitNs, uint64_t now) {
    limitNs_ = limitNs;
    heardNs_ = signedNs_ = lookedNs_ = now;
  }
  bool isJudged() const { return limitNs_ != 0; }

  void heard(uint64_t now) { heardNs_ = now; }
  /// Whether the own sign of life is due, which is sent then.
  bool signs(uint64_t now) {
    if (!isJudged() || now < signedNs_ + periodNs()) return false;
    signedNs_ = now;
    return true;
  }
  /// Whether it has been silent for too long. Who has not looked for a while, because it was
  /// stopped or the machine stood still, has no right to say so.
  bool isTooLong(uint64_t now) {
    if (!isJudged()) return false;
    if (now > lookedNs_ + 2 * periodNs()) heardNs_ = now;
    lookedNs_ = now;
    return now >= heardNs_ + limitNs_;
  }
  /// When to look again.
  uint64_t due() const {
    return isJudged() ? std::min(signedNs_ + periodNs(), heardNs_ + limitNs_) : UINT64_MAX;
  }

 private:
  /// A few signs may be late.
  uint64_t periodNs() const { return limitNs_ / 5; }

  uint64_t limitNs_ = 0;
  uint64_t heardNs_ = 0;
  uint64_t signedNs_ = 0;
  uint64_t lookedNs_ = 0;
};

}  // namespace verbena::launch
