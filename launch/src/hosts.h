// SPDX-License-Identifier: Apache-2.0
//
// Hosts, as they are given, and which of them is this one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace verbena::launch {

struct Host {
  std::string name;
  uint32_t slots = 1;

  friend bool operator==(const Host&, const Host&) = default;
};

/// "a:2,b,[::1]:4": a host has one slot unless more are given. One that is named again has those in
/// addition.
base::Result<std::vector<Host>> parseHosts(const std::string& list);

/// One host a line, "a", "a:2" or "a slots=2"; what follows a # is passed over.
base::Result<std::vector<Host>> readHosts(const std::string& file);

/// This host with a slot for each processor.
std::vector<Host> thisHost();

bool isThisHost(const std::string& name);

}  // namespace verbena::launch
