// SPDX-License-Identifier: Apache-2.0
//
// An owner of queue pairs that has none, holds the manager to its contract, and closes when it is
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

#include "connect/queue_pairs.h"

namespace verbena::connect::testing {

class FakeOwner : public QueuePairs {
 public:
  enum class Stage { created, connected, ready, closing };
  struct Held {
    NodeId peer = 0;
    Stage stage = Stage::created;
    QueuePairEnd own;
    QueuePairEnd far;
    std::string reason;
  };

  base::Result<QueuePairEnd> create(ConnectionId id, NodeId peer) override;
  base::Result<void> connect(ConnectionId id, const QueuePairEnd& far) override;
  void ready(ConnectionId id) override;
  void close(ConnectionId id, const std::string& reason) override;

  /// The queue pair is gone; the test tells the manager afterwards, or before in onClose.
  void gone(ConnectionId id);

  std::optional<Held> held(ConnectionId id) const;
  std::vector<ConnectionId> inStage(Stage stage) const;
  size_t count() const;
  size_t everCreated() const;
  /// What the manager did against its contract.
  std::vector<std::string> breaches() const;

  uint16_t engineVersion = 1;
  std::function<uint32_t()> nextQpNum = [this] { return ++lastQpNum_; };
  std::function<void(ConnectionId)> onClose;  ///< called without a lock
  std::string refuseToCreate;                 ///< advice of the error; empty: creates
  std::string refuseToConnect;

 private:
  void expect(bool holds, ConnectionId id, const char* what);

  mutable std::mutex lock_;
  std::map<ConnectionId, Held> held_;
  std::set<ConnectionId> used_;
  std::vector<std::string> breaches_;
  uint32_t lastQpNum_ = 0;
};

}  // namespace verbena::connect::testing
