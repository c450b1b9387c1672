// SPDX-License-Identifier: Apache-2.0
#include "fabric/options.h"

#include "base/range.h"

namespace verbena::fabric {

base::Result<void> WorkerOptions::check(const verbs::Context& context) const {
  const ibv_device_attr& limits = context.limits();
  return base::checkRanges(
      "open a worker", context.name(),
      {{"maxLinks", maxLinks, 1, static_cast<uint64_t>(limits.max_qp)},
       {"sendWorkRequests", sendWorkRequests, 2, static_cast<uint64_t>(limits.max_qp_wr) - 1},
       {"maxLinks times sendWorkRequests", completions(), 1,
        static_cast<uint64_t>(limits.max_cqe)}});
}

}  // namespace verbena::fabric
