// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "base/event_fd.h"
#include "job/bootstrap.h"
#include "job/party.h"
#include "job/polling.h"

namespace verbena::job {

/// A rank that learns of the others over a network: a thread of its own speaks with them, until the
/// job is freed.
class NetworkedRank : public Bootstrap {
 public:
  base::Result<void> publish(std::span<const std::byte> address) final;

 protected:
  explicit NetworkedRank(Party party) : party_(std::move(party)) {}

  base::Result<void> start();
  /// Says goodbye and ends the thread. Whoever derives calls it first thing when it is destroyed.
  void leave();
  const Party& party() const { return party_; }

  // By the thread.

  /// What this round waits for.
  virtual void watch(Poll& poll) = 0;
  virtual void publishNow(std::span<const std::byte> address) = 0;
  virtual void beginToLeave() = 0;
  virtual bool hasLeft() const = 0;
  /// Whether there is nobody any more to speak with.
  virtual bool isCutOff() const = 0;

 private:
  void run();
  void round();
  void takeOrders();
  base::Error cannotPublish(int code, const char* advice) const;

  const Party party_;
  const base::WakeUp wake_;
  std::thread thread_;
  bool isLeaving_ = false;  ///< the thread's
  std::mutex mutex_;
  std::condition_variable taken_;
  std::optional<std::vector<std::byte>> toPublish_;
  bool hasPublished_ = false;
  bool isToLeave_ = false;
  bool isOver_ = false;  ///< the thread speaks with nobody any more
};

}  // namespace verbena::job
