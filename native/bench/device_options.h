// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace verbena::bench {

/// What a tool takes that measures all it has on one device.
struct DeviceOptions {
  std::string device = "softnic";
  bool json = false;
  bool alone = false;  ///< only where the tool has a flag for it
};

/// Reads [DEVICE] [--json]; answers who asks for help, and ends where a word is something else.
///
/// @param aloneFlag a flag of the tool's own; empty for none
DeviceOptions deviceOptionsOf(std::span<char*> words, const char* tool, const char* usage,
                              std::string_view aloneFlag = {});

/// Says what is wrong, and ends.
[[noreturn]] void die(const char* tool, const std::string& what);

}  // namespace verbena::bench
