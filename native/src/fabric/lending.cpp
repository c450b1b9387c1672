// SPDX-License-Identifier: Apache-2.0
#include "fabric/lending.h"

#include <utility>

#include "base/shortage.h"
#include "host/segment.h"
#include "verbs/memory.h"

namespace verbena::fabric {
namespace {

using base::Result;

/// Whether the device's own allocator gives memory that others can map.
bool givesSegments(const verbs::Context& device) {
  Result<verbs::ShareableMemory> probe = verbs::ShareableMemory::allocate(device, 1);
  return probe && host::SegmentTable::ofProcess().find(probe->bytes().data(), 1) != nullptr;
}

KeptMemory keep(std::shared_ptr<host::Segment> segment) {
  std::span bytes(segment->start(), segment->bytes());
  auto remove = [segment](const void*) { segment->remove(); };
  return {bytes, std::shared_ptr<const void>(bytes.data(), remove)};
}

}  // namespace

Lending::Lending(const verbs::Context& device)
    : device_(device), deviceIsProcess_(givesSegments(device)) {}

host::Lender* Lending::lender() {
  std::call_once(opened_, [this] {
    auto opened = host::Lender::open(host::Lender::defaultFolder());
    if (opened) {
      lender_ = std::move(*opened);
    } else {
      whyNot_ = opened.error().sentence();
    }
  });
  return lender_.get();
}

Result<KeptMemory> Lending::allocate(size_t bytes) {
  if (!deviceIsProcess_ && lender() != nullptr) {
    if (std::shared_ptr<host::Segment> segment = lender_->allocate(bytes)) {
      return keep(std::move(segment));
    }
  }
  return allocateUnlent(bytes);
}

Result<KeptMemory> Lending::allocateUnlent(size_t bytes) const {
  Result<verbs::ShareableMemory> memory = verbs::ShareableMemory::allocate(device_, bytes);
  if (!memory) {
    base::Error why = memory.error();
    if (why.advice.empty()) why.advice = base::adviceOnShortage(why.code);
    return why;
  }
  return KeptMemory{memory->bytes(), memory->share()};
}

}  // namespace verbena::fabric
