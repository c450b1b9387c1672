// SPDX-License-Identifier: Apache-2.0
#include "streams/options.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <initializer_list>
#include <string>

namespace verbena::streams {
namespace {

using base::Error;
using base::Result;

struct Range {
  const char* option;
  uint64_t value;
  uint64_t least;
  uint64_t most;
};

Error outOfRange(const std::string& device, const Range& range) {
  return {"open an engine", device, EINVAL,
          std::string(range.option) + " of " + std::to_string(range.value) + " is not between " +
              std::to_string(range.least) + " and " + std::to_string(range.most)};
}

uint64_t positive(int limit) {
  return static_cast<uint64_t>(limit);
}

}  // namespace

Result<void> check(const verbs::Context& context, const EngineOptions& options) {
  const ibv_device_attr& limits = context.limits();
  uint64_t maxPieces = std::min<uint64_t>(kMaxPieces, positive(limits.max_srq_sge));
  for (const Range& range : std::initializer_list<Range>{
           {"maxConnections", options.maxConnections, 1, positive(limits.max_qp)},
           {"sendWorkRequests", options.sendWorkRequests, 2, positive(limits.max_qp_wr) - 1},
           {"signalEvery", options.signalEvery, 1, options.sendWorkRequests},
           {"bufferBytes", options.bufferBytes, 256, 1U << 24},
           {"buffersPerReceive", options.buffersPerReceive, 1, maxPieces},
           {"receiveWorkRequests", options.receiveWorkRequests, 2,
            std::min(positive(limits.max_srq_wr), positive(limits.max_cqe))},
           {"window", options.window, 1, 0x7fff},
           {"controlRingBytes", options.controlRingBytes, 64, 1U << 24},
           {"maxConnections times sendWorkRequests", workerOptions(options).completions(), 1,
            positive(limits.max_cqe)}}) {
    if (range.value < range.least || range.value > range.most) {
      return outOfRange(context.name(), range);
    }
  }
  if (std::has_single_bit(options.controlRingBytes)) return {};
  return Error{
      "open an engine", context.name(), EINVAL,
      "controlRingBytes of " + std::to_string(options.controlRingBytes) + " is no power of two"};
}

fabric::WorkerOptions workerOptions(const EngineOptions& options) {
  return {.maxLinks = options.maxConnections, .sendWorkRequests = options.sendWorkRequests};
}

}  // namespace verbena::streams
