// SPDX-License-Identifier: Apache-2.0
#include "streams/open_port.h"

#include <bit>
#include <cerrno>
#include <initializer_list>

#include "streams/slice.h"

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

/// Against the device's limits, each error naming the option that has to change.
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
           {"maxConnections times sendWorkRequests", sendCompletions(options), 1,
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

}  // namespace

#define VBN_MADE(name, made) \
  auto name = made;          \
  if (!name) return name.error()

Result<OpenPort> OpenPort::open(const verbs::Selection& selection, const EngineOptions& options) {
  VBN_MADE(context, verbs::Context::open(selection.device));
  if (Result<void> checked = check(*context, options); !checked) return checked.error();
  VBN_MADE(pd, verbs::ProtectionDomain::allocate(*context));
  VBN_MADE(events, verbs::AsyncEvents::of(*context));
  VBN_MADE(channel, verbs::CompletionChannel::create(*context));
  VBN_MADE(sends, verbs::CompletionQueue::create(
                      *context, static_cast<int>(sendCompletions(options)), *channel, nullptr));
  VBN_MADE(arrivals,
           verbs::CompletionQueue::create(*context, static_cast<int>(options.receiveWorkRequests),
                                          *channel, nullptr));
  VBN_MADE(receives, verbs::SharedReceiveQueue::create(*pd, options.receiveWorkRequests,
                                                       options.buffersPerReceive));
  return OpenPort{
      selection,           std::move(*context), std::move(*pd),       std::move(*events),
      std::move(*channel), std::move(*sends),   std::move(*arrivals), std::move(*receives)};
}

#undef VBN_MADE

Result<Registered> Registered::allocate(const OpenPort& port, uint64_t bytes) {
  Result<verbs::ShareableMemory> memory = verbs::ShareableMemory::allocate(port.context, bytes);
  if (!memory) return memory.error();
  Result<verbs::MemoryRegion> region =
      verbs::MemoryRegion::registerRange(port.pd, *memory, IBV_ACCESS_LOCAL_WRITE);
  if (!region) return region.error();
  return Registered{std::move(*memory), std::move(*region)};
}

}  // namespace verbena::streams
