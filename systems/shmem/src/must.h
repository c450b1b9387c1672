// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verbena.h>

#include <string>

#include "world.h"

namespace verbena::shmem {

/// Ends the process with what the library says, where a call fails without which nothing goes on.
inline void must(vbn_status status, const std::string& what) {
  if (status != VBN_OK) refuse(what + ": " + vbn_error());
}

}  // namespace verbena::shmem
