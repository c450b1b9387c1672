// SPDX-License-Identifier: Apache-2.0
#include "fake_owner.h"

#include <algorithm>

namespace verbena::connect::testing {

void FakeOwner::expect(bool holds, ConnectionId id, const char* what) {
  if (!holds) breaches_.push_back("connection " + std::to_string(id) + ": " + what);
}

base::Result<QueuePairEnd> FakeOwner::create(ConnectionId id, NodeId peer) {
  std::lock_guard guard(lock_);
  expect(used_.insert(id).second, id, "its id was used before");
  for (auto& [other, held] : held_) {
    expect(held.peer != peer, id, "created while another one with the peer is not closed");
  }
  if (!refuseToCreate.empty()) return base::Error{"create a queue pair", "fake", 0, refuseToCreate};
  Held held;
  held.peer = peer;
  held.own.qpNum = nextQpNum();
  held.own.sendPsn = held.own.qpNum ^ 0x5555;
  held.own.engineVersion = engineVersion;
  held_[id] = held;
  return held.own;
}

base::Result<void> FakeOwner::connect(ConnectionId id, const QueuePairEnd& far) {
  std::lock_guard guard(lock_);
  expect(held_.contains(id) && held_[id].stage == Stage::created, id,
         "connected twice or never created");
  if (!refuseToConnect.empty()) return base::Error{"connect", "fake", 0, refuseToConnect};
  held_[id].stage = Stage::connected;
  held_[id].far = far;
  return {};
}

void FakeOwner::ready(ConnectionId id) {
  std::lock_guard guard(lock_);
  expect(held_.contains(id) && held_[id].stage == Stage::connected, id,
         "ready without being connected");
  held_[id].stage = Stage::ready;
}

void FakeOwner::close(ConnectionId id, const std::string& reason) {
  {
    std::lock_guard guard(lock_);
    expect(held_.contains(id) && held_[id].stage != Stage::closing, id,
           "closed twice or never created");
    held_[id].stage = Stage::closing;
    held_[id].reason = reason;
  }
  if (onClose) onClose(id);
}

void FakeOwner::gone(ConnectionId id) {
  std::lock_guard guard(lock_);
  held_.erase(id);
}

std::optional<FakeOwner::Held> FakeOwner::held(ConnectionId id) const {
  std::lock_guard guard(lock_);
  auto found = held_.find(id);
  if (found == held_.end()) return std::nullopt;
  return found->second;
}

std::vector<ConnectionId> FakeOwner::inStage(Stage stage) const {
  std::lock_guard guard(lock_);
  std::vector<ConnectionId> ids;
  for (auto& [id, held] : held_) {
    if (held.stage == stage) ids.push_back(id);
  }
  return ids;
}

size_t FakeOwner::count() const {
  std::lock_guard guard(lock_);
  return held_.size();
}

size_t FakeOwner::everCreated() const {
  std::lock_guard guard(lock_);
  return used_.size();
}

std::vector<std::string> FakeOwner::breaches() const {
  std::lock_guard guard(lock_);
  return breaches_;
}

}  // namespace verbena::connect::testing
