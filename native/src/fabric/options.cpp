// SPDX-License-Identifier: Apache-2.0
#include "fabric/options.h"

#include <cerrno>
#include <initializer_list>
#include <string>

namespace verbena::fabric {
namespace {

struct Range {
  const char* option;
  uint64_t value;
  uint64_t least;
  uint64_t most;
};

}  // namespace

base::Result<void> WorkerOptions::check(const verbs::Context& context) const {
  const ibv_device_attr& limits = context.limits();
  for (const Range& range : std::initializer_list<Range>{
           {"maxLinks", maxLinks, 1, static_cast<uint64_t>(limits.max_qp)},
           {"sendWorkRequests", sendWorkRequests, 2, static_cast<uint64_t>(limits.max_qp_wr) - 1},
           {"maxLinks times sendWorkRequests", completions(), 1,
            static_cast<uint64_t>(limits.max_cqe)}}) {
    if (range.value >= range.least && range.value <= range.most) continue;
    return base::Error{"open a worker", context.name(), EINVAL,
                       std::string(range.option) + " of " + std::to_string(range.value) +
                           " is not between " + std::to_string(range.least) + " and " +
                           std::to_string(range.most)};
  }
  return {};
}

}  // namespace verbena::fabric
