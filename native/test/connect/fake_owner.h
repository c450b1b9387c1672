// SPDX-License-Identifier: Apache-2.0
//
// An owner of links that have no ends, holds the manager to its contract, and closes when it is
// told to.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "connect/link.h"

namespace verbena::connect::testing {

/// What most tests connect.
inline constexpr LinkName kMain{1, 0};

class FakeOwner : public LinkOwner {
 public:
  enum class Stage { created, connected, ready, closing };
  struct Held {
    NodeId peer = 0;
    LinkName name{};
    Stage stage = Stage::created;
    LinkEnd own;
    LinkEnd far;
    std::string reason;
  };

  base::Result<LinkEnd> create(const NewLink& link) override;
  base::Result<void> connect(LinkId id, const LinkEnd& far) override;
  void ready(LinkId id) override;
  void close(LinkId id, const std::string& reason) override;
  void destroy(LinkId id) override { onDestroy(id); }

  /// The end is gone; the test tells the manager afterwards, or before in onClose.
  void gone(LinkId id);

  std::optional<Held> held(LinkId id) const;
  std::vector<LinkId> inStage(Stage stage) const;
  size_t count() const;
  size_t everCreated() const;
  /// What the manager did against its contract.
  std::vector<std::string> breaches() const;

  /// An end as this owner makes it: its version of the service, and a number.
  static LinkEnd endOf(uint8_t version, uint32_t number);

  uint8_t version = 1;
  std::function<uint32_t()> nextNumber = [this] { return ++lastNumber_; };
  std::function<void(LinkId)> onClose;    ///< called without a lock
  std::function<void(LinkId)> onDestroy;  ///< likewise; of an owner that calls drained()
  std::string refuseToCreate;             ///< advice of the error; empty: creates
  std::string refuseToConnect;

 private:
  void expect(bool holds, LinkId id, const char* what);
  base::Result<void> check(NodeId peer, const LinkEnd& far) const;

  mutable std::mutex lock_;
  std::map<LinkId, Held> held_;
  std::set<LinkId> used_;
  std::vector<std::string> breaches_;
  uint32_t lastNumber_ = 0;
};

}  // namespace verbena::connect::testing
