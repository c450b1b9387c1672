// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace verbena::ip {

class Network;

/// The state of a network and all its counters, for people, or JSON.
std::string statusText(Network& network);
std::string statusJson(Network& network);

}  // namespace verbena::ip
