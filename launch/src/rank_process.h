// SPDX-License-Identifier: Apache-2.0
//
// One rank: a process, and the pipes to it.
#pragma once

#include <sched.h>
#include <signal.h>
#include <sys/types.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "lines.h"
#include "open_files.h"

namespace verbena::launch {

struct RankStart {
  uint32_t rank = 0;
  std::vector<std::string> words;
  std::string folder;
  std::vector<std::string> variables;
  std::optional<cpu_set_t> processors;
  bool hasInput = false;
  sigset_t signals;  ///< that are blocked in it
  OpenFiles files;
};

/// A rank that could not be started.
struct NotStarted {
  int exitStatus;  ///< as shells have it: 127 if there is no such command, 126 if it cannot be run
  std::string sentence;
};

struct RankProcess {
  struct Output {
    base::FileDescriptor from;
    Lines lines;
  };

  uint32_t rank = 0;
  pid_t pid = -1;
  bool lives = true;
  bool hasGroup = true;            ///< processes of its group live, though it may have ended
  base::FileDescriptor beginning;  ///< until its command runs, or does not
  base::FileDescriptor input;      ///< if it has one
  uint64_t inputTaken = 0;         ///< so much of all there was
  std::array<Output, 2> outputs;   ///< standard output and error

  /// Its process group is its own. Does not wait for its command: the folder may be of a file
  /// system that does not answer.
  static std::optional<NotStarted> start(const RankStart& start, RankProcess& started);
  /// Looks whether its command runs by now. What there is if it never will.
  std::optional<NotStarted> begun(const std::string& command, const std::string& folder);

  /// To all of its group.
  void signal(int number) const;
  /// Behind the end of any process: whether its group has others.
  void lookAtGroup();
};

}  // namespace verbena::launch
