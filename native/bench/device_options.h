// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace verbena::bench {

/// What a tool takes that measures all it has on one device.
struct DeviceOptions {
  std::string device = "softnic";
  bool json = false;
  std::string_view flag;  ///< the one of the tool's own that was there; empty: none
};

/// Reads [DEVICE] [--json]; answers who asks for help, and ends where a word is something else.
///
/// @param flags those that the tool has besides, of which one may be there
DeviceOptions deviceOptionsOf(std::span<char*> words, const char* tool, const char* usage,
                              std::initializer_list<std::string_view> flags);

/// Says what is wrong, and ends.
[[noreturn]] void die(const char* tool, const std::string& what);

}  // namespace verbena::bench
