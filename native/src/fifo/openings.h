// SPDX-License-Identifier: Apache-2.0
//
// The ends of one node that have no far end yet, by their names: those are the node's, whatever
// worker drives an end.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "connect/link.h"

namespace verbena::fifo {

class Channels;
class Connections;
class End;
class Reader;
class Writer;

struct Openings {
  /// Whom a link is for; null if nobody waits for it. Under the lock.
  End* waiting(connect::NodeId self, const connect::NewLink& link) const;

  // Rounds take it while they hold a link's turn: neither turn nor manager is used under it. The
  // lock of a worker's channels is taken behind it.
  mutable std::mutex lock;
  std::vector<Channels*> faces{};  ///< of each worker; as it was when the node started
  std::map<uint16_t, Reader*> readers{};
  std::map<std::pair<connect::NodeId, uint16_t>, Writer*> writers{};
  Connections* connections = nullptr;
  uint16_t lastConnection = 0;  ///< that this node has opened
};

}  // namespace verbena::fifo
