// SPDX-License-Identifier: Apache-2.0
//
// A TAP device: frames that the kernel sends by it are read, and frames that are written the kernel
// receives. It stays when the process goes, with its addresses and routes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "addresses.h"
#include "base/descriptor.h"
#include "frame.h"
#include "netlink.h"

namespace verbena::ip {

/// By which queue the kernel sends a frame.
enum class Policy : uint8_t { flow, cpu, roundRobin };

struct TapOptions {
  std::string name = "vbn0";
  std::string netns{};  ///< empty: that of the process
  std::vector<IpAddress> addresses{};
  Mac mac{};
  uint32_t mtu = 65'520;
  uint32_t queues = 1;
  Policy policy = Policy::flow;
  bool superFrames = true;
  bool partialChecksums = true;  ///< super-frames need them
};

class Tap {
 public:
  /// Makes it, or takes the one that is there. Throws Error.
  explicit Tap(const TapOptions& options);
  /// It is gone, unless a process has it. Throws Error if there is none.
  static void remove(const std::string& name, const std::string& netns);

  /// Does not block; reads and writes header and frame.
  int queue(uint32_t number) const { return queues_[number].get(); }
  int interface() const { return interface_; }
  /// Whether the kernel takes super-frames of UDP, too: Linux 6.2.
  bool takesUdpSuperFrames() const { return takesUdpSuperFrames_; }
  /// A peer's kernel does not take them: from here on this one makes none. Any thread.
  void leaveOutUdpSuperFrames() const;
  InterfaceState state() const { return netlink_->state(interface_); }
  /// Whether packets to the address would leave by this device.
  bool leadsTo(const IpAddress& address) const {
    return isInOurNamespace_ && netlink_->wayTo(address) == interface_;
  }

 private:
  void open(const TapOptions& options);
  void setOffloads(const TapOptions& options);
  void steer(Policy policy, uint32_t queues);

  std::vector<base::FileDescriptor> queues_;
  std::optional<Netlink> netlink_;  // of its namespace
  int interface_ = 0;
  bool isInOurNamespace_ = true;  ///< this process's sockets go by the same interfaces
  bool takesUdpSuperFrames_ = false;
  unsigned offloads_ = 0;  // without those of UDP
};

}  // namespace verbena::ip
