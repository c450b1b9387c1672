// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace verbena::shmem {

/// What the environment says, by the standard's variables and ours.
struct Settings {
  size_t symmetricBytes = size_t{64} << 20;  ///< SHMEM_SYMMETRIC_SIZE
  size_t poolBytes = size_t{4} << 20;        ///< VERBENA_SHMEM_POOL_SIZE; 0: there is none
  bool showsVersion = false;                 ///< SHMEM_VERSION
  bool showsInfo = false;                    ///< SHMEM_INFO
  /// SHMEM_DEBUG: each PE says what it reaches, and which waits last longer than so many seconds.
  std::optional<uint32_t> reportsAfter{};
  /// VERBENA_SHMEM_MAPPING=off: PEs of this host reach each other as far ones do.
  bool maps = true;
  std::string device{};  ///< VERBENA_SHMEM_DEVICE: the verbs device for far ones; "" for any
  /// VERBENA_SHMEM_VARIABLES=off: only what is allocated is symmetric.
  bool sharesVariables = true;

  /// Ends the process with a sentence where a value is none.
  static Settings read();
  static uint32_t secondsIn(const std::string& text);
};

/// "16M" is 16,777,216: a number, which may have a fraction, and K, M, G or T in either case.
/// Nothing if it is none.
std::optional<size_t> bytesIn(const std::string& text);

}  // namespace verbena::shmem
