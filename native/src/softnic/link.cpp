// SPDX-License-Identifier: Apache-2.0
#include "softnic/link.h"

#include <cstring>

namespace verbena::softnic {

bool Link::sendControl(const PacketHeader& header) {
  if (dead) return true;
  std::byte* place = out.reserve(sizeof header, 0);
  if (place == nullptr) return false;
  std::memcpy(place, &header, sizeof header);
  out.commit(sizeof header);
  return true;
}

}  // namespace verbena::softnic
