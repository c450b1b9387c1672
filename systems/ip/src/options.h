// SPDX-License-Identifier: Apache-2.0
//
// The command line of vbn-ip.
#pragma once

#include <span>
#include <string>

#include "network.h"

namespace verbena::ip {

enum class Command : uint8_t { up, down, status, help };

struct Options {
  Command command = Command::help;
  NetworkOptions network{};
  bool json = false;
};

/// `words`: without the program's name. Throws Error.
Options parseOptions(std::span<const std::string> words);

/// All that there is to know.
std::string helpText();

}  // namespace verbena::ip
