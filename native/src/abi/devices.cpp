// SPDX-License-Identifier: Apache-2.0
//
// Listing and diagnosing devices.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "abi/boundary.h"
#include "abi/wishes.h"
#include "devices/providers.h"
#include "verbs/advice.h"
#include "verbs/names.h"
#include "verbs/selection.h"

using namespace verbena;

struct vbn_devices {
  struct Row {
    vbn_port port{};
    std::vector<vbn_gid> gids;
    std::string hindrance;
  };
  std::vector<Row> rows;
  std::vector<std::string> reasons;
  std::vector<std::string> troubles;
};

namespace {

vbn_gid describe(const ibv_gid_entry& entry, bool chosen) {
  vbn_gid gid{};
  gid.index = entry.gid_index;
  std::memcpy(gid.raw, entry.gid.raw, sizeof gid.raw);
  abi::copyText(gid.text, verbs::gidText(entry.gid));
  abi::copyText(gid.type, verbs::gidTypeName(entry.gid_type));
  gid.chosen = chosen ? 1 : 0;
  return gid;
}

vbn_port describe(const verbs::DeviceSurvey& device, const verbs::PortSurvey& from) {
  vbn_port port{};
  abi::copyText(port.device, device.device.name());
  abi::copyText(port.provider, device.device.provider().name);
  port.port = from.number;
  port.node_guid = device.guid;
  port.state = static_cast<uint32_t>(from.attributes.state);
  port.link_layer = from.attributes.link_layer;
  port.lid = from.attributes.lid;
  port.mtu_bytes = verbs::mtuBytes(from.attributes.active_mtu);
  port.gigabits_per_second = verbs::gigabitsPerSecond(from.attributes);
  port.gid_count = static_cast<uint32_t>(from.gids.size());
  port.max_queue_pairs = static_cast<uint32_t>(device.limits.max_qp);
  port.max_work_requests = static_cast<uint32_t>(device.limits.max_qp_wr);
  port.max_sge = static_cast<uint32_t>(device.limits.max_sge);
  port.max_completions = static_cast<uint32_t>(device.limits.max_cqe);
  port.max_shared_receives = static_cast<uint32_t>(device.limits.max_srq_wr);
  port.max_region_bytes = device.limits.max_mr_size;
  return port;
}

vbn_devices::Row makeRow(const verbs::DeviceSurvey& device, const verbs::PortSurvey& port,
                         const verbs::Wishes& wishes,
                         const base::Result<verbs::Selection>& chosen) {
  vbn_devices::Row row{.port = describe(device, port), .gids = {}, .hindrance = {}};
  bool isChosen =
      chosen && chosen->device.get() == device.device.get() && chosen->port == port.number;
  row.port.chosen = isChosen ? 1 : 0;
  for (const ibv_gid_entry& entry : port.gids) {
    row.gids.push_back(describe(entry, isChosen && chosen->gid.gid_index == entry.gid_index));
  }
  base::Result<verbs::Selection> usable = verbs::selectOn(device, port, wishes);
  row.port.usable = usable ? 1 : 0;
  if (!usable) row.hindrance = usable.error().sentence();
  return row;
}

/// A limit that only devices of the kernel meet: softnic locks nothing.
void noteLockedMemory(vbn_devices& found, const verbs::Survey& survey) {
  bool matters = std::ranges::any_of(survey.devices, [](const verbs::DeviceSurvey& device) {
    return std::string_view(device.device.provider().name) == "libibverbs";
  });
  std::string trouble = verbs::lockedMemoryTrouble(verbs::lockedMemoryLimitBytes());
  if (matters && !trouble.empty()) found.troubles.push_back(std::move(trouble));
}

std::unique_ptr<vbn_devices> lookAround(const verbs::Wishes& wishes) {
  auto found = std::make_unique<vbn_devices>();
  verbs::Survey survey = verbs::survey(devices::providers(), {.listen = wishes.listen});
  base::Result<verbs::Selection> chosen = verbs::select(survey, wishes);
  for (const verbs::DeviceSurvey& device : survey.devices) {
    for (const verbs::PortSurvey& port : device.ports) {
      found->rows.push_back(makeRow(device, port, wishes, chosen));
    }
    if (device.trouble) found->troubles.push_back(device.trouble->sentence());
  }
  for (const base::Error& trouble : survey.troubles) found->troubles.push_back(trouble.sentence());
  noteLockedMemory(*found, survey);
  found->reasons = chosen ? chosen->reasons : std::vector{chosen.error().sentence()};
  return found;
}

const vbn_devices::Row* rowOf(const vbn_devices* found, uint32_t row) {
  return found != nullptr && row < found->rows.size() ? &found->rows[row] : nullptr;
}

/// Throws for a row that is not there.
const vbn_devices::Row& needRow(const vbn_devices* found, uint32_t row) {
  const std::vector<vbn_devices::Row>& rows = abi::need(found, "what was found").rows;
  if (row >= rows.size()) {
    throw std::invalid_argument("there is no row " + std::to_string(row) + " among " +
                                std::to_string(rows.size()));
  }
  return rows[row];
}

const char* lineOf(const std::vector<std::string>& lines, uint32_t number) {
  return number < lines.size() ? lines[number].c_str() : nullptr;
}

}  // namespace

vbn_status vbn_devices_survey(const vbn_wishes* wishes, vbn_devices** found) noexcept {
  return abi::guarded([&] {
    abi::need(found, "the place for the result");
    *found = lookAround(abi::toWishes(wishes)).release();
    return VBN_OK;
  });
}

void vbn_devices_free(vbn_devices* found) noexcept {
  delete found;
}

uint32_t vbn_devices_port_count(const vbn_devices* found) noexcept {
  return found == nullptr ? 0 : static_cast<uint32_t>(found->rows.size());
}

vbn_status vbn_devices_port(const vbn_devices* found, uint32_t row, vbn_port* port) noexcept {
  return abi::guarded([&] {
    abi::handOut(needRow(found, row).port, port, "vbn_port");
    return VBN_OK;
  });
}

const char* vbn_devices_hindrance(const vbn_devices* found, uint32_t row) noexcept {
  const vbn_devices::Row* from = rowOf(found, row);
  return from == nullptr ? nullptr : from->hindrance.c_str();
}

vbn_status vbn_devices_gid(const vbn_devices* found, uint32_t row, uint32_t number,
                           vbn_gid* gid) noexcept {
  return abi::guarded([&] {
    const std::vector<vbn_gid>& gids = needRow(found, row).gids;
    if (number >= gids.size()) {
      throw std::invalid_argument("there is no GID " + std::to_string(number) + " among " +
                                  std::to_string(gids.size()));
    }
    abi::handOut(gids[number], gid, "vbn_gid");
    return VBN_OK;
  });
}

const char* vbn_devices_reason(const vbn_devices* found, uint32_t number) noexcept {
  return found == nullptr ? nullptr : lineOf(found->reasons, number);
}

const char* vbn_devices_trouble(const vbn_devices* found, uint32_t number) noexcept {
  return found == nullptr ? nullptr : lineOf(found->troubles, number);
}
