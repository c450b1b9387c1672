// SPDX-License-Identifier: Apache-2.0
//
// The state of a running vbn-ip, by a socket of its user's.
#pragma once

#include <string>

#include "base/descriptor.h"
#include "network.h"

namespace verbena::ip {

/// Where the process that has the interface is asked.
std::string socketPath(const std::string& name, const std::string& netns);

class StatusServer {
 public:
  /// Throws Error, also if another process has the interface.
  explicit StatusServer(const std::string& path);
  ~StatusServer();

  /// Readable if somebody asks.
  int descriptor() const { return socket_.get(); }
  void answer(Network& network);

 private:
  const std::string path_;
  base::FileDescriptor lock_;  // of this life
  base::FileDescriptor socket_;
};

/// Throws Error if nobody answers.
std::string askForStatus(const std::string& path, bool json);

}  // namespace verbena::ip
