// SPDX-License-Identifier: Apache-2.0
#include "fake_owner.h"

#include <algorithm>
#include <array>
#include <cerrno>

namespace verbena::connect::testing {

LinkEnd FakeOwner::endOf(uint8_t version, uint32_t number) {
  std::array<std::byte, 5> bytes{static_cast<std::byte>(version)};
  for (size_t i = 0; i < 4; i++) bytes[i + 1] = static_cast<std::byte>(number >> 8 * i);
  return LinkEnd(bytes);
}

void FakeOwner::expect(bool holds, LinkId id, const char* what) {
  if (!holds) breaches_.push_back("link " + std::to_string(id) + ": " + what);
}

base::Result<void> FakeOwner::check(NodeId peer, const LinkEnd& far) const {
  auto theirs = far.bytes().empty() ? 0U : std::to_integer<unsigned>(far.bytes()[0]);
  if (theirs == version) return {};
  return base::Error{"connect", "fake", EPROTO,
                     "version " + std::to_string(version) + " here, " + std::to_string(theirs) +
                         " at node " + std::to_string(peer)};
}

base::Result<LinkEnd> FakeOwner::create(const NewLink& link) {
  std::lock_guard guard(lock_);
  expect(used_.insert(link.id).second, link.id, "its id was used before");
  for (auto& [other, held] : held_) {
    expect(held.peer != link.peer || held.name != link.name, link.id,
           "created while another one of its name is not closed");
  }
  if (!refuseToCreate.empty()) return base::Error{"create a link", "fake", 0, refuseToCreate};
  if (link.offered != nullptr) {
    if (auto fits = check(link.peer, *link.offered); !fits) return fits.error();
  }
  Held held;
  held.peer = link.peer;
  held.name = link.name;
  held.own = endOf(version, nextNumber());
  held_[link.id] = held;
  return held.own;
}

base::Result<void> FakeOwner::connect(LinkId id, const LinkEnd& far) {
  std::lock_guard guard(lock_);
  expect(held_.contains(id) && held_[id].stage == Stage::created, id,
         "connected twice or never created");
  if (!refuseToConnect.empty()) return base::Error{"connect", "fake", 0, refuseToConnect};
  if (auto fits = check(held_[id].peer, far); !fits) return fits.error();
  held_[id].stage = Stage::connected;
  held_[id].far = far;
  return {};
}

void FakeOwner::ready(LinkId id) {
  std::lock_guard guard(lock_);
  expect(held_.contains(id) && held_[id].stage == Stage::connected, id,
         "ready without being connected");
  held_[id].stage = Stage::ready;
}

void FakeOwner::close(LinkId id, const std::string& reason) {
  {
    std::lock_guard guard(lock_);
    expect(held_.contains(id) && held_[id].stage != Stage::closing, id,
           "closed twice or never created");
    held_[id].stage = Stage::closing;
    held_[id].reason = reason;
  }
  if (onClose) onClose(id);
}

void FakeOwner::gone(LinkId id) {
  std::lock_guard guard(lock_);
  held_.erase(id);
}

std::optional<FakeOwner::Held> FakeOwner::held(LinkId id) const {
  std::lock_guard guard(lock_);
  auto found = held_.find(id);
  if (found == held_.end()) return std::nullopt;
  return found->second;
}

std::vector<LinkId> FakeOwner::inStage(Stage stage) const {
  std::lock_guard guard(lock_);
  std::vector<LinkId> ids;
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
