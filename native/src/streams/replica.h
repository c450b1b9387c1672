// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "fabric/domain.h"

namespace verbena::streams {

/// Memory for a peer's stream. While a grant lasts, whoever knows its key and has a connection to
/// the engine may write there. Any thread. May outlive the engine.
class Replica {
 public:
  struct Grant {
    uint64_t address;
    uint32_t key;
  };

  explicit Replica(verbs::ShareableMemory memory) : memory_(std::move(memory)) {}

  std::byte* start() const { return memory_.bytes().data(); }
  uint64_t bytes() const { return memory_.bytes().size(); }

  /// What lies behind `offset` may be written to. Grants before are revoked: the device refuses
  /// what is still under way with their keys, so that a link that has ended writes nothing more.
  base::Result<Grant> grant(const fabric::Domain& domain, uint64_t offset);
  void revoke();

 private:
  verbs::ShareableMemory memory_;
  std::mutex lock_;
  std::optional<verbs::MemoryRegion> region_;  // last: goes before the memory
};

}  // namespace verbena::streams
