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
  bool flag = false;  ///< whether the flag was there that the tool has besides
};

/// Reads [DEVICE] [--json]; answers who asks for help, and ends where a word is something else.
///
/// @param flag one that the tool has besides
DeviceOptions deviceOptionsOf(std::span<char*> words, const char* tool, const char* usage,
                              std::string_view flag);

/// Says what is wrong, and ends.
[[noreturn]] void die(const char* tool, const std::string& what);

}  // namespace verbena::bench
