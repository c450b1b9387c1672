// SPDX-License-Identifier: Apache-2.0
//
// One open device with the port that was chosen: what its workers share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "base/result.h"
#include "fabric/lending.h"
#include "fabric/wrong_keys.h"
#include "verbs/memory.h"
#include "verbs/selection.h"

namespace verbena::fabric {

struct Domain {
  static base::Result<std::shared_ptr<const Domain>> open(const verbs::Selection& selection);

  verbs::Selection selection;
  verbs::Context context;
  verbs::ProtectionDomain pd;
  uint64_t maxMessageBytes;  ///< of the port: no request moves more

  bool hasAtomics() const { return context.limits().atomic_cap != IBV_ATOMIC_NONE; }
  /// Whether the device's atomics and the processor's are atomic among each other.
  bool hasCoherentAtomics() const { return context.limits().atomic_cap == IBV_ATOMIC_GLOB; }
  /// Begins when it is first asked for.
  Lending& lending() const;

  struct Begun {
    std::once_flag once;
    std::unique_ptr<Lending> lending;
  };
  std::unique_ptr<Begun> begun = std::make_unique<Begun>();
  /// Its keys are of one kind, so all links count together.
  std::unique_ptr<WrongKeys> wrongKeys = std::make_unique<WrongKeys>();
};

/// Memory of the process's own, registered for the device alone.
struct Registered {
  static base::Result<Registered> allocate(const Domain& domain, uint64_t bytes);

  std::byte* start() const { return memory.bytes().data(); }
  uint64_t bytes() const { return memory.bytes().size(); }
  uint32_t lkey() const { return region.lkey(); }

  verbs::ShareableMemory memory;
  verbs::MemoryRegion region;
};

}  // namespace verbena::fabric
