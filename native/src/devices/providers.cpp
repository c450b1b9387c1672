// SPDX-License-Identifier: Apache-2.0
#include "devices/providers.h"

#include "verbs/libibverbs.h"
#ifdef VERBENA_HAVE_SOFTNIC
#include "softnic/softnic.h"
#endif

namespace verbena::devices {

std::vector<base::Result<const verbs::Provider*>> providers() {
  std::vector<base::Result<const verbs::Provider*>> all = {verbs::libibverbs()};
#ifdef VERBENA_HAVE_SOFTNIC
  all.emplace_back(&softnic::provider());
#endif
  return all;
}

}  // namespace verbena::devices
