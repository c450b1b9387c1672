// SPDX-License-Identifier: Apache-2.0
//
// The command line of verbena-run.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "hosts.h"
#include "orders.h"

namespace verbena::launch {

enum class Mapping { bySlot, byHost };
enum class OutputMode { merged, tagged, files };

/// Commands that are started together, and of how many ranks each is.
struct Segment {
  std::optional<uint32_t> ranks;
  Command command;
};

struct Options {
  std::vector<Segment> segments;
  std::vector<Host> hosts;  ///< empty: this one
  Mapping mapping = Mapping::bySlot;
  bool bindToCores = false;
  OutputMode output = OutputMode::merged;
  std::string outputFolder;
  std::vector<std::string> remoteShell;  ///< empty: ssh
  std::string remoteProgram;             ///< empty: where this program lies
  std::string interface;
  std::optional<uint32_t> timeoutSeconds;
  uint32_t startTimeoutSeconds = 60;
  uint32_t graceSeconds = 5;
  uint32_t lostAfterSeconds = 30;
  Readers readers = Readers::first;
  bool goesOn = false;  ///< a rank's failure does not end the others
  bool wantsHelp = false;
};

/// `words`: without the program's name.
base::Result<Options> parseOptions(std::span<const std::string> words);

/// All that there is to know.
std::string helpText();

}  // namespace verbena::launch
