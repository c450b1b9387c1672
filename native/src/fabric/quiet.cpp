// SPDX-License-Identifier: Apache-2.0
#include "fabric/quiet.h"

#include "fabric/one_sided.h"
#include "fabric/worker.h"

namespace verbena::fabric {

Quiet::Quiet(OneSided& memory) : memory_(memory) {
  memory.worker_.links().forEach([&](Link& link) {
    Open open{nullptr, link.id(), {}};
    if (open.id == 0 || &link.service() != &memory) return;
    open.link = static_cast<OneSidedLink*>(&link);
    if (!isOver(open)) open_.push_back(open);
  });
}

bool Quiet::isOver() {
  std::erase_if(open_, [this](Open& open) { return isOver(open); });
  return open_.empty();
}

/// A link that has ended is found no more a moment before its operations are told of, and loses its
/// id behind that.
bool Quiet::isOver(Open& open) {
  if (!open.until) mark(open);
  return open.link->id() != open.id || (open.until && open.link->hasTold(*open.until));
}

void Quiet::mark(Open& open) {
  Trouble trouble;
  memory_.worker_.inTurn(open.id, [&](Link&) {
    open.until = open.link->lastToBeTold();
    trouble = open.link->trouble();
  });
  if (trouble.code != 0) memory_.worker_.failed(open.id, trouble);
}

}  // namespace verbena::fabric
