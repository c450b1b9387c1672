// SPDX-License-Identifier: Apache-2.0
#include "fabric/region_key.h"

#include <cerrno>
#include <string>

#include "base/wire.h"

namespace verbena::fabric {
namespace {

using base::getLittle;
using base::putLittle;

// Offsets in bytes.
constexpr size_t kVersionAt = 0;
constexpr size_t kAccessAt = 1;
constexpr size_t kLentAt = 2;
constexpr size_t kZeroAt = 3;
constexpr size_t kOwnerAt = 4;
constexpr size_t kIncarnationAt = 8;
constexpr size_t kAddressAt = 16;
constexpr size_t kLengthAt = 24;
constexpr size_t kRkeyAt = 32;

base::Error noKey(const std::string& why) {
  return {"read a region key", "", EPROTO, why};
}

}  // namespace

std::array<std::byte, RegionKey::kBytes> RegionKey::bytes() const {
  std::array<std::byte, kBytes> into{};
  putLittle(into, kVersionAt, kVersion);
  putLittle(into, kAccessAt, access);
  putLittle(into, kLentAt, uint8_t{lent});
  putLittle(into, kOwnerAt, owner);
  putLittle(into, kIncarnationAt, incarnation);
  putLittle(into, kAddressAt, address);
  putLittle(into, kLengthAt, length);
  putLittle(into, kRkeyAt, rkey);
  return into;
}

base::Result<RegionKey> RegionKey::of(std::span<const std::byte> bytes) {
  if (bytes.size() != kBytes) {
    return noKey("it has " + std::to_string(bytes.size()) + " bytes, a key has " +
                 std::to_string(kBytes));
  }
  if (auto version = getLittle<uint8_t>(bytes, kVersionAt); version != kVersion) {
    return noKey("it has version " + std::to_string(version) + ", this side knows " +
                 std::to_string(kVersion));
  }
  RegionKey key{.access = getLittle<uint8_t>(bytes, kAccessAt),
                .owner = getLittle<connect::NodeId>(bytes, kOwnerAt),
                .incarnation = getLittle<uint64_t>(bytes, kIncarnationAt),
                .address = getLittle<uint64_t>(bytes, kAddressAt),
                .length = getLittle<uint64_t>(bytes, kLengthAt),
                .rkey = getLittle<uint32_t>(bytes, kRkeyAt),
                .lent = getLittle<uint8_t>(bytes, kLentAt) == 1};
  if (getLittle<uint8_t>(bytes, kLentAt) > 1 || getLittle<uint8_t>(bytes, kZeroAt) != 0) {
    return noKey("bytes that are to be zero are not");
  }
  if ((key.access & ~kAllAccess) != 0 || key.length > UINT64_MAX - key.address) {
    return noKey("its access " + std::to_string(key.access) + " or its length " +
                 std::to_string(key.length) + " cannot be");
  }
  return key;
}

}  // namespace verbena::fabric
