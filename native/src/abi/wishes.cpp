// SPDX-License-Identifier: Apache-2.0
#include "abi/wishes.h"

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>

#include "abi/boundary.h"
#include "verbs/names.h"

namespace verbena::abi {
namespace {

constexpr int64_t kMaxServiceLevel = 15;

/// When this version of the ABI began.
constexpr size_t kFirstWishesBytes = offsetof(vbn_wishes, listen);

[[noreturn]] void refuse(const char* member, int64_t value, const std::string& expected) {
  throw std::invalid_argument(std::string("a wish is out of range: ") + member + " is " +
                              std::to_string(value) + "; set it to " + expected);
}

/// -1 is no wish.
template <typename T>
std::optional<T> fromZero(const char* member, int64_t value, int64_t max, const char* unset) {
  if (value < -1 || value > max) {
    refuse(member, value, "0 to " + std::to_string(max) + ", or to -1 for " + unset);
  }
  return value == -1 ? std::nullopt : std::optional(static_cast<T>(value));
}

/// 0 is what every packet carries that nobody has wished anything for.
std::optional<uint8_t> toTrafficClass(uint32_t given) {
  if (given > UINT8_MAX) refuse("traffic_class", given, "0 to " + std::to_string(UINT8_MAX));
  return given == 0 ? std::nullopt : std::optional(static_cast<uint8_t>(given));
}

std::optional<uint8_t> toPort(uint32_t number) {
  if (number > UINT8_MAX) {
    refuse("port", number, "1 to " + std::to_string(UINT8_MAX) + ", or to 0 for any");
  }
  return number == 0 ? std::nullopt : std::optional(static_cast<uint8_t>(number));
}

verbs::AddressFamily toFamily(uint32_t version) {
  switch (version) {
    case 0: return verbs::AddressFamily::any;
    case 4: return verbs::AddressFamily::ipv4;
    case 6: return verbs::AddressFamily::ipv6;
    default: refuse("family", version, "4 for IPv4, to 6 for IPv6, or to 0 for any");
  }
}

std::optional<ibv_mtu> toMtu(uint32_t bytes) {
  if (bytes == 0) return std::nullopt;
  for (int code = IBV_MTU_256; code <= IBV_MTU_4096; code++) {
    if (verbs::mtuBytes(static_cast<ibv_mtu>(code)) == bytes) return static_cast<ibv_mtu>(code);
  }
  refuse("mtu_bytes", bytes, "256, 512, 1024, 2048 or 4096, or to 0 for the port's");
}

}  // namespace

verbs::Wishes toWishes(const vbn_wishes* given) {
  verbs::Wishes wishes;
  if (given == nullptr) return wishes;
  vbn_wishes known = takeIn(given, kFirstWishesBytes, "vbn_wishes");
  if (known.device != nullptr) wishes.device = known.device;
  wishes.port = toPort(known.port);
  wishes.gidIndex = fromZero<uint8_t>("gid_index", known.gid_index, UINT8_MAX, "any");
  wishes.family = toFamily(known.family);
  wishes.pkey = fromZero<uint16_t>("pkey", known.pkey, UINT16_MAX, "any");
  wishes.serviceLevel =
      fromZero<uint8_t>("service_level", known.service_level, kMaxServiceLevel, "the default");
  wishes.trafficClass = toTrafficClass(known.traffic_class);
  wishes.mtu = toMtu(known.mtu_bytes);
  if (known.listen != nullptr) wishes.listen = known.listen;
  return wishes;
}

}  // namespace verbena::abi
