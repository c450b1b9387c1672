// SPDX-License-Identifier: Apache-2.0
#include "job/seal.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>

#include "base/wire.h"

namespace verbena::job {
namespace {

constexpr size_t kLengthBytes = 4;
constexpr size_t kCodeBytes = 16;
constexpr size_t kMostBytesOfRecord = 64 << 10;
constexpr size_t kCodedBesides = sizeof(uint64_t) + kLengthBytes;

}  // namespace

base::Digest Seal::code(const base::Hmac& key, uint64_t number, std::span<const std::byte> bytes) {
  coded_.resize(kCodedBesides);
  base::putLittle(std::span(coded_), 0, number);
  base::putLittle(std::span(coded_), sizeof number, static_cast<uint32_t>(bytes.size()));
  coded_.insert(coded_.end(), bytes.begin(), bytes.end());
  return key.of(coded_);
}

void Seal::close(std::span<const std::byte> bytes, std::vector<std::byte>& wire) {
  size_t records = (bytes.size() + kMostBytesOfRecord - 1) / kMostBytesOfRecord;
  coded_.reserve(kCodedBesides + std::min(bytes.size(), kMostBytesOfRecord));
  wire.reserve(wire.size() + bytes.size() + records * (kLengthBytes + kCodeBytes));
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), kMostBytesOfRecord))) {
    std::span<const std::byte> record = bytes.first(std::min(bytes.size(), kMostBytesOfRecord));
    std::array<std::byte, kLengthBytes> length;
    base::putLittle(std::span<std::byte>(length), 0, static_cast<uint32_t>(record.size()));
    base::Digest sealed = code(own_, closed_++, record);
    wire.insert(wire.end(), length.begin(), length.end());
    wire.insert(wire.end(), record.begin(), record.end());
    wire.insert(wire.end(), sealed.begin(), sealed.begin() + kCodeBytes);
  }
}

bool Seal::open(std::vector<std::byte>& wire, std::vector<std::byte>& bytes) {
  std::span<const std::byte> left = wire;
  Next next = Next::Opened;
  auto drop = [&wire, &left](void*) { wire.erase(wire.begin(), wire.end() - std::ssize(left)); };
  std::unique_ptr<void, decltype(drop)> whateverComes(&next, drop);
  while (next == Next::Opened) next = openOne(left, bytes);
  return next == Next::Cut;
}

Seal::Next Seal::openOne(std::span<const std::byte>& wire, std::vector<std::byte>& bytes) {
  if (wire.size() < kLengthBytes) return Next::Cut;
  size_t length = base::getLittle<uint32_t>(wire, 0);
  if (length == 0 || length > kMostBytesOfRecord) return Next::Forged;
  if (wire.size() < kLengthBytes + length + kCodeBytes) return Next::Cut;
  std::span<const std::byte> record = wire.subspan(kLengthBytes, length);
  base::Digest expected = code(far_, opened_, record);
  bool isTheirs = base::equalInConstantTime(std::span(expected).first(kCodeBytes),
                                            wire.subspan(kLengthBytes + length, kCodeBytes));
  if (!isTheirs) return Next::Forged;
  bytes.insert(bytes.end(), record.begin(), record.end());
  opened_++;
  wire = wire.subspan(kLengthBytes + length + kCodeBytes);
  return Next::Opened;
}

}  // namespace verbena::job
