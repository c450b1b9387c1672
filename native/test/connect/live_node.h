// SPDX-License-Identifier: Apache-2.0
//
// A manager on a real socket, with an owner and an observer that remember.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "connect/manager.h"
#include "fake_owner.h"

namespace verbena::connect::testing {

using namespace std::chrono_literals;

/// How long what must happen may take: a bound against hanging. Nothing that works takes so long,
/// though the machine be busy or emulated, or a sanitizer at work.
inline constexpr std::chrono::seconds kPatience{120};

/// Whether it came true within kPatience.
bool eventually(const std::function<bool()>& holds);

class LiveNode final : public Observer {
 public:
  /// `change` sees the options before the start.
  explicit LiveNode(NodeId id, const std::function<void(ManagerOptions&)>& change = {});
  ~LiveNode() override;

  void up(const LinkUp& link) override;
  void down(LinkId id, NodeId peer, LinkName name, const std::string& reason) override;
  void dialFailed(NodeId peer, LinkName name, Refusal why, const std::string& reason) override;

  /// Both know each other's address.
  static void introduce(LiveNode& one, LiveNode& other);
  std::vector<std::string> downReasons() const;
  std::vector<std::pair<Refusal, std::string>> failures() const;
  /// The two ends know each other.
  static bool connected(const LiveNode& one, const LiveNode& other);

  const NodeId id;
  FakeOwner owner;
  Manager* manager = nullptr;  ///< set before the first call of owner and observer

 private:
  std::unique_ptr<Manager> owned_;
  mutable std::mutex lock_;
  std::vector<std::string> downs_;
  std::vector<std::pair<Refusal, std::string>> failures_;
};

}  // namespace verbena::connect::testing
