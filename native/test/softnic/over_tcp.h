// SPDX-License-Identifier: Apache-2.0
//
// Ports that listen on TCP, too.
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "host/shared_file.h"

namespace verbena::softnic::testing {

/// While it lives, softnics that are opened listen on TCP as well, from a base port that is this
/// process's alone: tests run side by side. Below the ports that the suites of the messaging
/// reserve, and those that Linux gives to whoever connects.
class OverTcp {
 public:
  explicit OverTcp(const std::string& host = "127.0.0.1") {
    while (!claimed_ && basePort_ + 2 * kSpan <= kFirstOfOthers) claim();
    EXPECT_TRUE(claimed_) << "more tests at once than spans of ports";
    setenv("VERBENA_SOFTNIC_TCP", (host + ":" + std::to_string(basePort_)).c_str(), 1);
  }
  ~OverTcp() { unsetenv("VERBENA_SOFTNIC_TCP"); }
  OverTcp(const OverTcp&) = delete;
  OverTcp& operator=(const OverTcp&) = delete;

  uint16_t basePort() const { return basePort_; }

 private:
  static constexpr uint16_t kSpan = 512;
  static constexpr uint16_t kFirst = 10240;
  static constexpr uint16_t kFirstOfOthers = 20000;

  /// The name of an abstract socket is the mark of a span: the kernel takes it back with the
  /// process.
  void claim() {
    basePort_ = static_cast<uint16_t>(basePort_ + kSpan);
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    std::string text = "verbena-test-ports-" + std::to_string(basePort_);
    text.copy(name.sun_path + 1, sizeof name.sun_path - 1);
    base::FileDescriptor mark(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (bind(mark.get(), reinterpret_cast<sockaddr*>(&name), sizeof name) == 0) {
      claimed_ = std::move(mark);
    }
  }

  uint16_t basePort_ = kFirst - kSpan;
  base::FileDescriptor claimed_;  // held by children, too, that outlive us
};

}  // namespace verbena::softnic::testing
