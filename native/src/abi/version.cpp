// SPDX-License-Identifier: Apache-2.0
#include "verbena.h"

uint32_t vbn_abi_version() noexcept {
  return VBN_ABI_VERSION;
}
