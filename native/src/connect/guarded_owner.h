// SPDX-License-Identifier: Apache-2.0
//
// An owner of queue pairs that may lack memory.
#pragma once

#include <cerrno>
#include <exception>
#include <string>
#include <utility>

#include "connect/queue_pairs.h"

namespace verbena::connect {

/// What the owner throws where a connection is made is an error like any other: it costs that dial.
class GuardedOwner final : public QueuePairs {
 public:
  explicit GuardedOwner(QueuePairs& owner) : owner_(owner) {}

  base::Result<QueuePairEnd> create(ConnectionId id, NodeId peer) override {
    try {
      return owner_.create(id, peer);
    } catch (const std::exception& failure) {
      return lacking("create a queue pair for node " + std::to_string(peer), failure);
    }
  }
  base::Result<void> connect(ConnectionId id, const QueuePairEnd& far) override {
    try {
      return owner_.connect(id, far);
    } catch (const std::exception& failure) {
      return lacking("connect a queue pair", failure);
    }
  }
  void ready(ConnectionId id) override { owner_.ready(id); }
  void close(ConnectionId id, const std::string& reason) override { owner_.close(id, reason); }

 private:
  static base::Error lacking(std::string operation, const std::exception& failure) {
    return {std::move(operation), "", ENOMEM, failure.what()};
  }

  QueuePairs& owner_;
};

}  // namespace verbena::connect
