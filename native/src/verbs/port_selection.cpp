// SPDX-License-Identifier: Apache-2.0
//
// What one port offers: its address, partition, service level and MTU.
#include <netinet/in.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "verbs/names.h"
#include "verbs/selection.h"

namespace verbena::verbs {
namespace {

constexpr uint16_t kFullMember = 0x8000;
constexpr uint16_t kDefaultPartition = 0xffff;
constexpr uint8_t kMaxServiceLevel = 15;

bool isRoce(const PortSurvey& port) {
  return port.attributes.link_layer == IBV_LINK_LAYER_ETHERNET;
}

std::string hex(uint16_t key) {
  char text[8];
  std::snprintf(text, sizeof text, "0x%04x", key);
  return text;
}

/// Why a port in this state cannot be used; empty for an active one.
std::string hindrance(const PortSurvey& port) {
  std::string is = std::string("the port is ") + stateName(port.attributes.state) + "; ";
  switch (port.attributes.state) {
    case IBV_PORT_ACTIVE: return "";
    case IBV_PORT_INIT:
    case IBV_PORT_ARMED:
      return is + "no subnet manager has brought it up, start one (opensm) on the fabric";
    case IBV_PORT_DOWN:
    case IBV_PORT_NOP:
    case IBV_PORT_ACTIVE_DEFER: break;
  }
  return is + (isRoce(port)
                   ? "bring its network device up ('ip link set DEVICE up') or see to the cable"
                   : "see to the cable and the switch");
}

bool isIpv4(const ibv_gid_entry& entry) {
  in6_addr address;
  std::memcpy(&address, &entry.gid, sizeof address);
  return IN6_IS_ADDR_V4MAPPED(&address);
}

bool isLinkLocal(const ibv_gid_entry& entry) {
  return entry.gid.raw[0] == 0xfe && (entry.gid.raw[1] & 0xc0) == 0x80;
}

/// A RoCE v2 address comes before any of v1, which routers do not pass; IPv4 before IPv6 because it
/// is what hosts have in common; an address of the link alone last.
int rank(const ibv_gid_entry& entry) {
  int version = entry.gid_type == IBV_GID_TYPE_ROCE_V1 ? 0 : 10;
  int address = isIpv4(entry) ? 2 : isLinkLocal(entry) ? 0 : 1;
  return version + address;
}

bool matches(const ibv_gid_entry& entry, AddressFamily family) {
  return family == AddressFamily::any || (family == AddressFamily::ipv4) == isIpv4(entry);
}

std::string describe(const ibv_gid_entry& entry) {
  return "GID " + std::to_string(entry.gid_index) + " (" + gidText(entry.gid) + ", " +
         gidTypeName(entry.gid_type) + ")";
}

const char* familyName(AddressFamily family) {
  switch (family) {
    case AddressFamily::any: return "any";
    case AddressFamily::ipv4: return "IPv4";
    case AddressFamily::ipv6: return "IPv6";
  }
  return "unknown";
}

/// Selects on one port, step by step; the first step that fails is the answer.
class PortSelection {
 public:
  PortSelection(const DeviceSurvey& device, const PortSurvey& port, const Wishes& wishes)
      : device_(device),
        port_(port),
        wishes_(wishes),
        selection_{.device = device.device, .reasons = {}} {
    selection_.port = port.number;
    selection_.lid = port.attributes.lid;
    selection_.gigabitsPerSecond = gigabitsPerSecond(port.attributes);
  }

  base::Result<Selection> run() {
    for (auto step : {&PortSelection::checkPort, &PortSelection::selectGid,
                      &PortSelection::selectPkey, &PortSelection::selectServiceLevel,
                      &PortSelection::selectTrafficClass, &PortSelection::selectMtu}) {
      if (base::Result<void> done = (this->*step)(); !done) return done.error();
    }
    return std::move(selection_);
  }

 private:
  base::Error refuse(std::string advice) const {
    return {"use the port", device_.device.name() + " port " + std::to_string(port_.number), 0,
            std::move(advice)};
  }

  void because(std::string reason) { selection_.reasons.push_back(std::move(reason)); }

  base::Result<void> checkPort() {
    if (device_.device.get()->transport_type == IBV_TRANSPORT_IWARP) {
      return refuse(
          "it is an iWARP device, which has no unreliable datagrams; InfiniBand and RoCE are "
          "supported");
    }
    if (std::string why = hindrance(port_); !why.empty()) return refuse(why);
    return {};
  }

  base::Result<void> selectGid() {
    if (wishes_.gidIndex) return takeGidAsAsked();
    if (!isRoce(port_)) return takeFirstGid();
    const ibv_gid_entry* best = nullptr;
    for (const ibv_gid_entry& entry : port_.gids) {
      if (!usable(entry)) continue;
      if (best == nullptr || rank(entry) > rank(*best)) best = &entry;
    }
    if (best == nullptr) return refuse(noGid());
    selection_.gid = *best;
    because(describe(*best) + ": the best of " + std::to_string(port_.gids.size()) +
            ", RoCE v2 before v1, IPv4 before IPv6 before link-local");
    return {};
  }

  bool usable(const ibv_gid_entry& entry) const {
    // An address handle has 8 bits for the index.
    return entry.gid_index <= UINT8_MAX && matches(entry, wishes_.family);
  }

  std::string noGid() const {
    std::string kind =
        wishes_.family == AddressFamily::any ? "" : std::string(familyName(wishes_.family)) + " ";
    return "it has no " + kind + "GID; give its network device an " + kind + "address";
  }

  /// InfiniBand routes by LID within a subnet; the GID is known all the same.
  base::Result<void> takeFirstGid() {
    if (port_.attributes.lid == 0)
      return refuse("it has no LID; no subnet manager has configured it");
    selection_.global = false;
    if (!port_.gids.empty()) selection_.gid = port_.gids.front();
    because("LID " + std::to_string(port_.attributes.lid) +
            ": an InfiniBand port is addressed by LID");
    return {};
  }

  base::Result<void> takeGidAsAsked() {
    auto found = std::find_if(
        port_.gids.begin(), port_.gids.end(),
        [&](const ibv_gid_entry& entry) { return entry.gid_index == *wishes_.gidIndex; });
    if (found == port_.gids.end()) {
      return refuse("GID index " + std::to_string(*wishes_.gidIndex) + " is not in use; " +
                    (port_.gids.empty() ? "none is" : "in use are " + gidList()));
    }
    selection_.gid = *found;
    because(describe(*found) + ": as asked");
    return {};
  }

  std::string gidList() const {
    std::string list;
    for (const ibv_gid_entry& entry : port_.gids) {
      list += (list.empty() ? "" : ", ") + describe(entry);
    }
    return list;
  }

  base::Result<void> selectPkey() {
    int best = -1;
    for (size_t i = 0; i < port_.pkeys.size(); i++) {
      if (isBetter(port_.pkeys[i],
                   best < 0 ? uint16_t{0} : port_.pkeys[static_cast<size_t>(best)])) {
        best = static_cast<int>(i);
      }
    }
    if (best < 0) return refuse(noPkey());
    selection_.pkeyIndex = static_cast<uint16_t>(best);
    selection_.pkey = port_.pkeys[selection_.pkeyIndex];
    because("P_Key " + hex(selection_.pkey) + ": " + reasonOf(selection_.pkey));
    return {};
  }

  bool isBetter(uint16_t key, uint16_t than) const {
    if (key == 0) return false;
    if (wishes_.pkey && ((key ^ *wishes_.pkey) & ~kFullMember & 0xffff) != 0) return false;
    return rankOf(key) > rankOf(than);
  }

  /// Two limited members of a partition cannot talk to each other, so full membership counts most.
  static int rankOf(uint16_t key) {
    return key == 0 ? 0 : key == kDefaultPartition ? 3 : (key & kFullMember) != 0 ? 2 : 1;
  }

  std::string reasonOf(uint16_t key) const {
    if (wishes_.pkey) return "as asked";
    if (key == kDefaultPartition) return "the default partition, as full member";
    return (key & kFullMember) != 0 ? "the first with full membership"
                                    : "there is no full membership";
  }

  std::string noPkey() const {
    std::string list;
    for (uint16_t key : port_.pkeys) {
      if (key != 0) list += (list.empty() ? "" : ", ") + hex(key);
    }
    std::string asked = wishes_.pkey ? "P_Key " + hex(*wishes_.pkey) : "any P_Key";
    return "it is not a member of " + asked + "; its keys are " + (list.empty() ? "none" : list);
  }

  base::Result<void> selectServiceLevel() {
    selection_.serviceLevel = wishes_.serviceLevel.value_or(0);
    if (selection_.serviceLevel > kMaxServiceLevel) {
      return refuse("service level " + std::to_string(selection_.serviceLevel) + " is above " +
                    std::to_string(kMaxServiceLevel) + ", the highest there is");
    }
    because("service level " + std::to_string(selection_.serviceLevel) + ": " +
            (wishes_.serviceLevel ? "as asked" : "the default"));
    return {};
  }

  base::Result<void> selectTrafficClass() {
    selection_.trafficClass = wishes_.trafficClass.value_or(0);
    std::string chosen = "traffic class " + std::to_string(selection_.trafficClass);
    if (selection_.trafficClass != 0 && !selection_.global) {
      return refuse(chosen +
                    " is carried by the header of a GID, and this port is addressed by LID");
    }
    if (wishes_.trafficClass) because(chosen + ": as asked");
    return {};
  }

  base::Result<void> selectMtu() {
    ibv_mtu active = port_.attributes.active_mtu;
    selection_.mtu = wishes_.mtu.value_or(active);
    if (selection_.mtu > active) {
      return refuse("an MTU of " + std::to_string(mtuBytes(selection_.mtu)) +
                    " is above the port's " + std::to_string(mtuBytes(active)) +
                    (isRoce(port_) ? "; raise the MTU of its network device" : ""));
    }
    because("MTU " + std::to_string(mtuBytes(selection_.mtu)) + ": " +
            (wishes_.mtu ? "as asked" : "active on the port"));
    return {};
  }

  const DeviceSurvey& device_;
  const PortSurvey& port_;
  const Wishes& wishes_;
  Selection selection_;
};

}  // namespace

base::Result<Selection> selectOn(const DeviceSurvey& device, const PortSurvey& port,
                                 const Wishes& wishes) {
  return PortSelection(device, port, wishes).run();
}

Path Selection::pathTo(const ibv_gid& remoteGid, uint16_t remoteLid) const {
  Path path;
  path.localPort = port;
  path.localGidIndex = static_cast<uint8_t>(gid.gid_index);
  path.global = global;
  path.remoteGid = remoteGid;
  path.remoteLid = remoteLid;
  path.serviceLevel = serviceLevel;
  path.trafficClass = trafficClass;
  return path;
}

}  // namespace verbena::verbs
