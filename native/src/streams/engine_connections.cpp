// SPDX-License-Identifier: Apache-2.0
//
// How connections of an engine come, fail and go.
#include <algorithm>
#include <cerrno>
#include <memory>
#include <new>

#include "streams/engine_state.h"

namespace verbena::streams {
namespace {

using base::Error;
using base::Result;

/// Besides the sends of its window a connection may have reports under way to us: one for what it
/// got back last, one for what it got back before, and one that flushes.
constexpr uint32_t kReportsUnderWay = 3;
/// Even when receives are short a connection gets so many sends, so that it can go on while a
/// report travels.
constexpr uint32_t kLeastWindow = 4;
/// One connection gets at most this part of the receives that are not promised to another.
constexpr uint64_t kShare = 4;

Error noService(const connect::NewLink& link) {
  return {"create link " + std::to_string(link.name.service) + "." +
              std::to_string(link.name.rail) + " with node " + std::to_string(link.peer),
          "", EPROTO, "nothing here speaks for it"};
}

Error creating(NodeId peer, const verbs::Selection& port, int code, const std::string& advice) {
  return {"create a connection to node " + std::to_string(peer), port.device.name(), code, advice};
}

}  // namespace

Result<connect::LinkEnd> Engine::State::create(const connect::NewLink& link) {
  const NodeId peer = link.peer;
  if (link.name != kStreams) return noService(link);
  if (link.offered != nullptr) {
    if (auto far = QueuePairEnd::of(peer, *link.offered); !far) return far.error();
  }
  std::lock_guard guard(lifeLock_);
  const verbs::Selection& port = works.port.selection;
  if (dead_) return creating(peer, port, ENODEV, deathReason_);
  Connection* place = connections.reserve();
  if (place == nullptr) {
    return creating(peer, port, ENOSPC,
                    "maxConnections of " + std::to_string(works.options.maxConnections) +
                        " are in use; raise it, or close connections");
  }
  uint32_t window = grantWindow();
  Result<QueuePairEnd> created = createAt(*place, link.id, peer, window);
  if (!created) return created.error();
  granted_ += window + kReportsUnderWay;
  connections.enter(*place);
  return created->bytes();
}

/// Leaves the place free if that does not come to its end, for want of memory too.
Result<QueuePairEnd> Engine::State::createAt(Connection& place, LinkId id, NodeId peer,
                                             uint32_t window) {
  bool made = false;
  auto releaseUnlessMade = [&](Connection* at) {
    if (!made) connections.release(*at);
  };
  std::unique_ptr<Connection, decltype(releaseUnlessMade)> reserved(&place, releaseUnlessMade);
  fabric::TurnHeld turn(place.turn());  // nothing is published here yet
  Result<QueuePairEnd> created = place.create(id, peer, window);
  made = created.ok();
  return created;
}

/// All windows together fit into the receives as long as these last. After that connections still
/// get a small one: then a receiver that stands still can make senders wait for receives.
uint32_t Engine::State::grantWindow() {
  uint64_t receivable = works.options.receiveWorkRequests;
  uint64_t left = receivable - std::min(receivable, granted_);
  auto least = std::min(kLeastWindow, works.options.window);
  return static_cast<uint32_t>(std::clamp<uint64_t>(left / kShare, least, works.options.window));
}

Result<void> Engine::State::connect(LinkId id, const connect::LinkEnd& far) {
  Result<void> result =
      Error{"connect", "connection " + std::to_string(id), ENOTCONN, "it is not there any more"};
  inTurn(id, [&](Connection& connection) { result = connection.connect(far); });
  return result;
}

void Engine::State::ready(LinkId id) {
  Connection* connection = connections.find(id);
  if (inTurn(id, [](Connection& of) { of.ready(); })) works.showInterest(connection->place());
}

void Engine::State::close(LinkId id) {
  inTurn(id, [&](Connection& connection) {
    if (connection.state() == Connection::State::Closing) return;
    connection.beginClose();
    endings.add(connection);
  });
  works.waiter->wakeIfArmed();
}

void Engine::State::endThoseDue() {
  std::span<Connection* const> due = endings.due(dead_);
  if (due.empty()) return;
  // What arrived before their last event is in the receive queue still, and their buffers with it.
  try {
    if (!dead_) completions.drainReceives();
  } catch (const std::bad_alloc&) {
    // What it was about has been counted; nobody is told what an ending connection had to say.
  }
  for (Connection* connection : due) end(*connection);
}

void Engine::State::end(Connection& connection) {
  LinkId id = 0;
  {
    std::lock_guard guard(lifeLock_);
    connections.remove(connection);
    granted_ -= connection.window() + kReportsUnderWay;
    connection.turn().lock();
    id = connection.end();
    static_cast<void>(connection.turn().leave());  // a mark was for what has ended
    connections.release(connection);
  }
  if (lifecycle != nullptr) lifecycle->closed(id);
}

void Engine::State::failed(Connection& connection, const std::string& reason) {
  LinkId id = connection.id();
  if (!connection.fail()) return;
  works.counters.connectionsFailed.addShared();
  if (lifecycle != nullptr) lifecycle->failed(id, reason);
}

void Engine::State::nonsense(Connection& connection, const std::string& reason) {
  LinkId id = connection.id();
  if (!connection.failByNonsense()) return;
  works.counters.nonsense.add();
  works.counters.connectionsFailed.addShared();
  if (lifecycle != nullptr) {
    lifecycle->failed(id,
                      "node " + std::to_string(connection.peer()) + " talks nonsense: " + reason);
  }
}

void Engine::State::deviceFailed(const std::string& reason) {
  {
    std::lock_guard guard(lifeLock_);
    if (dead_) return;
    deathReason_ = works.port.context.name() + " cannot be used any more: " + reason;
    dead_ = true;
  }
  connections.forEach([&](Connection& connection) { failed(connection, deathReason_); });
}

}  // namespace verbena::streams
