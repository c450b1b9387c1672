// SPDX-License-Identifier: Apache-2.0
//
// The control calls have C's signatures: what runs out of memory in them ends as errno.
#pragma once

#include <cerrno>
#include <utility>

namespace verbena::softnic {

/// What `make` returns; `otherwise` and errno if there was no memory for it. For what leaves
/// nothing half done; see Context::attempt() for the rest.
template <typename Made, typename Make>
Made orNoMemory(Made otherwise, Make make) noexcept {
  try {
    return std::move(make)();
  } catch (...) {
    errno = ENOMEM;
    return otherwise;
  }
}

}  // namespace verbena::softnic
