// SPDX-License-Identifier: Apache-2.0
//
// What ranks tell each other once they have proved themselves is authenticated, and not encrypted:
// an on-path attacker can read it and cut it off, but not change, repeat, leave out or add
// anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/sha256.h"

namespace verbena::job {

/// Both directions of one connection. Bytes go as records:
///
///   0      4  n, the length of the bytes
///   4      n  the bytes
///   4 + n  16 the beginning of an HMAC-SHA256 of the record's number, n and the bytes, under the
///             key of this connection and direction
class Seal {
 public:
  Seal(const base::Digest& ownKey, const base::Digest& farKey) : own_(ownKey), far_(farKey) {}

  /// Appends what is to be sent for the bytes: all, or nothing if it throws for want of memory.
  void close(std::span<const std::byte> bytes, std::vector<std::byte>& wire);
  /// Takes whole records from the front and appends what they hold. False: the far side has not
  /// sealed that. May be called again if it throws.
  bool open(std::vector<std::byte>& wire, std::vector<std::byte>& bytes);

 private:
  enum class Next : uint8_t { Opened, Cut, Forged };
  Next openOne(std::span<const std::byte>& wire, std::vector<std::byte>& bytes);
  base::Digest code(const base::Hmac& key, uint64_t number, std::span<const std::byte> bytes);

  std::vector<std::byte> coded_;  // what a code covers
  base::Hmac own_;
  base::Hmac far_;
  uint64_t closed_ = 0;
  uint64_t opened_ = 0;
};

}  // namespace verbena::job
