// SPDX-License-Identifier: Apache-2.0
#include "streams/options.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <string>

#include "base/range.h"
#include "streams/terms.h"

namespace verbena::streams {
namespace {

using base::Error;
using base::Result;

constexpr const char* kOperation = "open an engine";

uint64_t positive(int limit) {
  return static_cast<uint64_t>(limit);
}

}  // namespace

Result<void> check(const fabric::Worker& worker, const EngineOptions& options) {
  const verbs::Context& context = worker.domain().context;
  const ibv_device_attr& limits = context.limits();
  uint64_t sends = worker.options().sendWorkRequests;
  Result<void> good =
      base::checkRanges(kOperation, context.name(),
                        {{"maxConnections", options.maxConnections, 1, worker.options().maxLinks},
                         {"sendWorkRequests", options.sendWorkRequests, sends, sends},
                         {"signalEvery", options.signalEvery, 1, options.sendWorkRequests},
                         {"bufferBytes", options.bufferBytes, 256, 1U << 24},
                         {"buffersPerReceive", options.buffersPerReceive, 1, kMaxPieces},
                         {"receiveWorkRequests", options.receiveWorkRequests, 2,
                          std::min(positive(limits.max_srq_wr), positive(limits.max_cqe))},
                         {"window", options.window, 2, kMostWindow - 1},
                         {"controlRingBytes", options.controlRingBytes, 64, 1U << 24}});
  if (!good || std::has_single_bit(options.controlRingBytes)) return good;
  return Error{
      kOperation, context.name(), EINVAL,
      "controlRingBytes of " + std::to_string(options.controlRingBytes) + " is no power of two"};
}

fabric::WorkerOptions workerOptions(const EngineOptions& options) {
  return {.maxLinks = options.maxConnections, .sendWorkRequests = options.sendWorkRequests};
}

}  // namespace verbena::streams
