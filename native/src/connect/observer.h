// SPDX-License-Identifier: Apache-2.0
//
// Who is told what becomes of links.
#pragma once

#include <cstdint>
#include <string>

#include "connect/link.h"

namespace verbena::connect {

/// Why a dial came to nothing. The numbers go over the wire.
enum class Refusal : uint8_t {
  none = 0,
  protocol = 1,  ///< speaks another version, of the exchange or of the service, or nonsense; or no
                 ///< way leads from one side's device to the other's
  identity = 2,  ///< another cluster, or not the node that was asked for, or its id is in use
  key = 3,       ///< did not prove that it has the cluster's key
  crossed = 4,   ///< both sides dial; the other dial goes first
  closing = 5,   ///< the node closes, or has no room for another link
  timeout = 6,   ///< no answer; never on the wire
  local = 7,     ///< no address is known, or no end could be made here; never on the wire
};

/// A link that has come up.
struct LinkUp {
  LinkId id = 0;
  NodeId peer = 0;
  LinkName name{};
  uint64_t incarnation = 0;  ///< of the peer
  bool dialled = false;      ///< this side has offered it
  std::string address{};     ///< of the peer
};

/// What the manager has to tell; calls come from the job thread, in order, and must not block.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void up(const LinkUp& link) = 0;
  /// It is down: nothing can be sent any more, and it will be closed without further ado.
  virtual void down(LinkId id, NodeId peer, LinkName name, const std::string& reason) = 0;
  /// It will not come up here, though its far side may use it already; or nobody ever does.
  virtual void notUp(LinkId /*id*/, LinkName /*name*/, const std::string& /*reason*/) {}
  /// Nothing of a link is left, whether it had ever come up or not: what arrived of it before is
  /// handed out. Told once of each that was created, behind its down() or notUp().
  virtual void gone(LinkId /*id*/, NodeId /*peer*/) {}
  /// dial() came to nothing.
  virtual void dialFailed(NodeId peer, LinkName name, Refusal why, const std::string& reason) = 0;
  /// A node has answered that did not before, or does not answer any more. Unconnected nodes are
  /// only asked where ManagerOptions::discovery is set. The manager keeps it to itself, for
  /// isReachable().
  virtual void reachable(NodeId /*peer*/, bool /*answers*/) {}
};

}  // namespace verbena::connect
