// SPDX-License-Identifier: Apache-2.0
//
// The agent of a host, as the launcher has it: the process that it was started by, here or through
// ssh, and the stream to it.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "job/stream.h"
#include "open_files.h"
#include "options.h"
#include "placement.h"
#include "signals.h"
#include "silence.h"

namespace verbena::launch {

/// What starts an agent on a host.
std::vector<std::string> agentCommand(const Options& options, const std::string& host);

class AgentProcess {
 public:
  explicit AgentProcess(Placed placed);

  const std::string& host() const { return placed_.host.name; }
  const std::vector<RankOrder>& ranks() const { return placed_.ranks; }

  base::Result<void> start(const Options& options, const Signals& signals, const OpenFiles& files);
  job::Stream& stream() { return stream_; }
  const job::Stream& stream() const { return stream_; }
  bool isConnected() const { return stream_.isOpen(); }

  /// Its process has ended.
  void noteEnd(int status) { status_ = status; }
  pid_t pid() const { return pid_; }
  bool hasProcess() const { return pid_ > 0 && !status_; }
  /// To its process and what that has started, as a script around ssh has.
  void signal(int number) const;
  /// "'ssh' ended with status 255", and what may help; empty as long as it has not.
  std::string endText() const;

  bool isElsewhere() const { return isElsewhere_; }

  Silence silence;       ///< of one on another host
  bool greeted = false;  ///< it has answered
  bool done = false;     ///< it has said that nothing is left there

 private:
  const Placed placed_;
  const bool isElsewhere_;
  std::string program_;
  std::string far_;  ///< the program that is to run there
  pid_t pid_ = -1;
  std::optional<int> status_;
  job::Stream stream_;
};

}  // namespace verbena::launch
