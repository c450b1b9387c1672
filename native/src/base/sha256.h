// SPDX-License-Identifier: Apache-2.0
//
// SHA-256 (FIPS 180-4) and HMAC-SHA256 (RFC 2104), so that a node without OpenSSL can prove itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace verbena::base {

using Digest = std::array<std::byte, 32>;

/// One hash under way; a copy goes on from where the original was.
class Sha256 {
 public:
  void add(std::span<const std::byte> bytes);
  /// The hash of all that was added. The object is used up.
  Digest finish();

 private:
  void block(const std::byte* bytes);

  std::array<uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::byte, 64> pending_{};
  uint64_t addedBytes_ = 0;
};

Digest sha256(std::span<const std::byte> bytes);

/// A key that is ready for use: what depends on it alone is computed once.
class Hmac {
 public:
  explicit Hmac(std::span<const std::byte> key);
  Digest of(std::span<const std::byte> bytes) const;

 private:
  Sha256 inner_;
  Sha256 outer_;
};

/// Whether two byte strings of one length are equal, in a time that does not tell where they
/// differ.
bool equalInConstantTime(std::span<const std::byte> a, std::span<const std::byte> b);

}  // namespace verbena::base
