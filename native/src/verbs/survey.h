// SPDX-License-Identifier: Apache-2.0
//
// What verbs devices this process has, and what hinders it from using them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "verbs/device.h"

namespace verbena::verbs {

struct PortSurvey {
  uint8_t number = 1;
  ibv_port_attr attributes{};
  std::vector<ibv_gid_entry> gids;  ///< those in use
  std::vector<uint16_t> pkeys;      ///< by index; 0 for an entry that is not in use
};

struct DeviceSurvey {
  Device device;
  uint64_t guid = 0;                   ///< in host byte order
  std::optional<base::Error> trouble;  ///< why nothing below could be read
  ibv_device_attr limits{};
  std::vector<PortSurvey> ports;  ///< those that could be read
};

/// Nothing is held open: a survey is a look, and devices change after it.
struct Survey {
  std::vector<DeviceSurvey> devices;  ///< in the order of their providers
  std::vector<base::Error> troubles;  ///< of providers that have nothing to list
};

/// Looks at all devices of the providers, which come in the order of preference.
/// They are opened with `wiring`, and so are those that are chosen of them.
Survey survey(std::span<const base::Result<const Provider*>> providers, const Wiring& wiring = {});

/// Data rate of a port in Gb/s; 0 for values that are not known.
double gigabitsPerSecond(const ibv_port_attr& attributes);

}  // namespace verbena::verbs
