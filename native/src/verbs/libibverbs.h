// SPDX-License-Identifier: Apache-2.0
//
// The provider of kernel devices: libibverbs, looked for at run time so that Verbena starts on
// machines that do not have it.
#pragma once

#include "base/result.h"
#include "verbs/provider.h"

namespace verbena::verbs {

/// libibverbs.so.1, loaded by the first call and never unloaded; the outcome of the first call
/// stays. An error says which package is missing or too old. Thread safe.
const base::Result<const Provider*>& libibverbs();

/// As libibverbs(), but looks for a library of the given name and keeps nothing. For tests.
base::Result<Provider> loadLibibverbs(const char* libraryName);

}  // namespace verbena::verbs
