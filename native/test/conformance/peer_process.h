// SPDX-License-Identifier: Apache-2.0
//
// A second process to talk to.
#pragma once

#include <sys/types.h>

#include <functional>

#include "endpoint.h"

namespace verbena::conformance {

/// What one side tells the other before they talk over the device.
struct Card {
  uint32_t qpNum = 0;
  uint32_t rkey = 0;
  uint64_t address = 0;
};

/// The line over which cards and a word now and then are exchanged.
class Line {
 public:
  explicit Line(int fd) : fd_(fd) {}

  /// Tells the own card and returns the other's.
  Card exchange(const Endpoint& endpoint);
  /// Both sides have come this far.
  void meet();

 private:
  void write(const void* bytes, size_t length);
  void read(void* bytes, size_t length);

  int fd_;
};

/// A process that runs `body` from its start; no device may be open when it is started.
class PeerProcess {
 public:
  explicit PeerProcess(const std::function<void(Line&)>& body);
  ~PeerProcess();
  PeerProcess(const PeerProcess&) = delete;
  PeerProcess& operator=(const PeerProcess&) = delete;

  Line& line() { return line_; }
  /// Ends it in the middle of what it does.
  void kill();
  /// Whether it ran to its end without a failure.
  bool succeeded();

 private:
  pid_t pid_ = -1;
  int fd_ = -1;
  Line line_{-1};
};

}  // namespace verbena::conformance
