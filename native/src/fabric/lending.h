// SPDX-License-Identifier: Apache-2.0
//
// What a domain lends of its regions to processes of the same host, whatever its device is
// (host/lender.h).
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "base/result.h"
#include "host/lender.h"
#include "verbs/device.h"

namespace verbena::fabric {

/// Memory that goes when nobody keeps it any more.
struct KeptMemory {
  std::span<std::byte> bytes;
  std::shared_ptr<const void> keeper;
};

/// Any thread.
class Lending {
 public:
  /// Of a device that is open as long.
  explicit Lending(const verbs::Context& device);

  /// Null if nothing can be lent; whyNot() says why. The first call opens the book, which may wait
  /// for another process.
  host::Lender* lender();
  const std::string& whyNot() {
    lender();
    return whyNot_;
  }
  /// Zeroed memory that can be lent, if there is such: else such as suits the device.
  base::Result<KeptMemory> allocate(size_t bytes);
  /// Zeroed memory that suits the device.
  base::Result<KeptMemory> allocateUnlent(size_t bytes) const;
  /// Whether the device is this very process (softnic): what it says is done is in memory, it moves
  /// bytes by the process's own addresses, and its atomics are the processor's.
  bool deviceIsProcess() const { return deviceIsProcess_; }

 private:
  const verbs::Context& device_;
  const bool deviceIsProcess_;
  std::once_flag opened_;
  std::unique_ptr<host::Lender> lender_;
  std::string whyNot_;
};

}  // namespace verbena::fabric
