// SPDX-License-Identifier: Apache-2.0
//
// The program's global and static variables. They are made symmetric by mapping symmetric memory in
// their place: they stay where they are, and other PEs reach them, too.
#pragma once

#include <cstddef>
#include <cstdint>

#include "host/shared_file.h"
#include "world.h"

namespace verbena::shmem {

/// The executable that runs. What its libraries have is not symmetric.
struct Program {
  uint64_t id = 0;   ///< the same at all PEs that run the same program
  StaticData data;   ///< without offsets
  size_t bytes = 0;  ///< of whole pages, of all ranges

  static Program find();
  /// From here on the variables lie in the file, from an offset on that is a multiple of
  /// kMostPageBytes. No other thread may write to them meanwhile. A process that is forked gets a
  /// copy of its own. False and errno on failure.
  bool moveTo(host::SharedFile& file, size_t offset);
};

/// The largest pages that hosts have: a job may have several of different ones.
inline constexpr size_t kMostPageBytes = 64 << 10;

}  // namespace verbena::shmem
