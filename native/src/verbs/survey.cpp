// SPDX-License-Identifier: Apache-2.0
#include "verbs/survey.h"

#include <endian.h>

#include <cerrno>

namespace verbena::verbs {
namespace {

std::vector<ibv_gid_entry> gidsOf(const Context& context, uint8_t port, int tableLength) {
  std::vector<ibv_gid_entry> gids;
  for (int index = 0; index < tableLength; index++) {
    base::Result<ibv_gid_entry> entry = context.queryGid(port, static_cast<uint32_t>(index));
    if (entry) gids.push_back(*entry);
  }
  return gids;
}

std::vector<uint16_t> pkeysOf(const Context& context, uint8_t port, uint16_t tableLength) {
  std::vector<uint16_t> keys;
  for (uint16_t index = 0; index < tableLength; index++) {
    base::Result<uint16_t> key = context.queryPkey(port, index);
    keys.push_back(key ? *key : uint16_t{0});
  }
  return keys;
}

base::Result<PortSurvey> surveyPort(const Context& context, uint8_t number) {
  base::Result<ibv_port_attr> attributes = context.queryPort(number);
  if (!attributes) return attributes.error();
  return PortSurvey{number, *attributes, gidsOf(context, number, attributes->gid_tbl_len),
                    pkeysOf(context, number, attributes->pkey_tbl_len)};
}

DeviceSurvey surveyDevice(const Device& device) {
  DeviceSurvey found{.device = device, .guid = be64toh(device.guid()), .trouble = {}, .ports = {}};
  base::Result<Context> context = Context::open(device);
  if (!context) {
    found.trouble = context.error();
    return found;
  }
  found.limits = context->limits();
  for (uint8_t number = 1; number <= found.limits.phys_port_cnt; number++) {
    base::Result<PortSurvey> port = surveyPort(*context, number);
    if (port) {
      found.ports.push_back(std::move(*port));
    } else {
      found.trouble = port.error();
    }
  }
  return found;
}

void add(Survey& found, const Provider& provider, const Wiring& wiring) {
  base::Result<std::vector<Device>> devices = Device::list(provider, wiring);
  if (!devices) {
    found.troubles.push_back(devices.error());
    return;
  }
  if (devices->empty()) {
    found.troubles.push_back({"find a device", provider.name, 0,
                              "it lists none; a kernel driver makes them (hardware, or soft-RoCE "
                              "by 'rdma link add rxe0 type rxe netdev eth0')"});
  }
  for (const Device& device : *devices) found.devices.push_back(surveyDevice(device));
}

double gigabitsPerLane(uint8_t speed) {
  switch (speed) {
    case 1: return 2.5;    // SDR
    case 2: return 5;      // DDR
    case 4: return 10;     // QDR
    case 8: return 10;     // FDR10
    case 16: return 14;    // FDR
    case 32: return 25;    // EDR
    case 64: return 50;    // HDR
    case 128: return 100;  // NDR
    default: return 0;
  }
}

int lanes(uint8_t width) {
  switch (width) {
    case 1: return 1;
    case 2: return 4;
    case 4: return 8;
    case 8: return 12;
    case 16: return 2;
    default: return 0;
  }
}

}  // namespace

Survey survey(std::span<const base::Result<const Provider*>> providers, const Wiring& wiring) {
  Survey found;
  for (const base::Result<const Provider*>& provider : providers) {
    if (provider) {
      add(found, **provider, wiring);
    } else {
      found.troubles.push_back(provider.error());
    }
  }
  return found;
}

double gigabitsPerSecond(const ibv_port_attr& attributes) {
  return gigabitsPerLane(attributes.active_speed) * lanes(attributes.active_width);
}

}  // namespace verbena::verbs
