// SPDX-License-Identifier: Apache-2.0
#include "abi/boundary.h"

namespace verbena::abi {
namespace {

/// Of fixed size: telling that memory has run out must not need any.
thread_local char lastError[1024] = "";

}  // namespace

vbn_status refuse(vbn_status status, const char* text) noexcept {
  size_t length = std::min(std::strlen(text), sizeof lastError - 1);
  std::memcpy(lastError, text, length);
  lastError[length] = '\0';
  return status;
}

}  // namespace verbena::abi

const char* vbn_error() noexcept {
  return verbena::abi::lastError;
}
