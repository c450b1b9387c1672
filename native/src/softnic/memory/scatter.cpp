// SPDX-License-Identifier: Apache-2.0
#include "softnic/memory/scatter.h"

#include <algorithm>

namespace verbena::softnic {

bool allowed(const LocalMemory& memory, uint32_t access) {
  return std::ranges::all_of(memory.sges, [&](const ibv_sge& sge) {
    return sge.length == 0 ||
           memory.regions.resolve({sge.lkey, memory.pd, sge.addr, sge.length, access}) != nullptr;
  });
}

}  // namespace verbena::softnic
