// SPDX-License-Identifier: Apache-2.0
#include "softnic/wire/link.h"

#include <cstring>

namespace verbena::softnic {

void Link::peerLeft() {
  if (!canSend()) return;
  openInbound();  // it may have shown its ring, and written into it, just before
  state = state == LinkState::Open ? LinkState::Ending : LinkState::Dead;
  if (state == LinkState::Ending) beginEnd();
  endIfRead();
}

void Link::endIfRead() {
  if (state == LinkState::Ending && inputOver() && in.empty()) state = LinkState::Dead;
}

bool Link::sendControl(const PacketHeader& header) {
  if (!canSend()) return true;
  std::byte* place = out.reserve(sizeof header, 0);
  if (place == nullptr) return false;
  std::memcpy(place, &header, sizeof header);
  out.commit(sizeof header);
  return true;
}

}  // namespace verbena::softnic
