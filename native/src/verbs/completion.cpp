// SPDX-License-Identifier: Apache-2.0
#include "verbs/completion.h"

#include <cerrno>

#include "base/descriptor.h"
#include "verbs/advice.h"

namespace verbena::verbs {
namespace {

std::string creating(int entries) {
  return "create a completion queue of " + std::to_string(entries) + " entries";
}

int vectorOf(const Context& context, uint32_t wanted) {
  int vectors = context.get()->num_comp_vectors;
  return vectors > 0 ? static_cast<int>(wanted % static_cast<uint32_t>(vectors)) : 0;
}

base::Result<ibv_cq*> createRaw(const Context& context, int entries, ibv_comp_channel* channel,
                                void* cqContext, uint32_t vector) {
  if (entries > context.limits().max_cqe) {
    return limitError(*context.device(), creating(entries), "length",
                      static_cast<uint64_t>(entries),
                      static_cast<uint64_t>(context.limits().max_cqe));
  }
  ibv_cq* raw = context.provider().create_cq(context.get(), entries, cqContext, channel,
                                             vectorOf(context, vector));
  if (raw == nullptr) return creationError(*context.device(), creating(entries), errno);
  return raw;
}

}  // namespace

base::Result<CompletionChannel> CompletionChannel::create(const Context& context) {
  const Provider& provider = context.provider();
  ibv_comp_channel* raw = provider.create_comp_channel(context.get());
  if (raw == nullptr) {
    return creationError(*context.device(), "create a completion channel", errno);
  }
  auto channel = own(raw, provider.destroy_comp_channel, context.share());
  if (int rc = base::makeNonBlocking(raw->fd); rc != 0) {
    return creationError(*context.device(), "create a completion channel that does not block", rc);
  }
  return CompletionChannel(context.device(), std::move(channel));
}

base::Result<std::optional<void*>> CompletionChannel::takeEvent() const {
  ibv_cq* cq = nullptr;
  void* cqContext = nullptr;
  if (provider().get_cq_event(get(), &cq, &cqContext) != 0) {
    if (errno == EAGAIN || errno == EWOULDBLOCK) return std::optional<void*>{};
    return base::Error{"read a completion event", device()->name, errno, ""};
  }
  provider().ack_cq_events(cq, 1);
  return std::optional<void*>{cqContext};
}

bool CompletionChannel::wait(std::chrono::nanoseconds timeout) const {
  return base::waitReadable(fd(), timeout);
}

base::Result<CompletionQueue> CompletionQueue::create(const Context& context, int entries,
                                                      uint32_t vector) {
  base::Result<ibv_cq*> raw = createRaw(context, entries, nullptr, nullptr, vector);
  if (!raw) return raw.error();
  return CompletionQueue(context.device(),
                         own(*raw, context.provider().destroy_cq, context.share()));
}

base::Result<CompletionQueue> CompletionQueue::create(const Context& context, int entries,
                                                      const CompletionChannel& channel,
                                                      void* cqContext, uint32_t vector) {
  base::Result<ibv_cq*> raw = createRaw(context, entries, channel.get(), cqContext, vector);
  if (!raw) return raw.error();
  return CompletionQueue(context.device(),
                         own(*raw, context.provider().destroy_cq, channel.share()));
}

base::Result<void> CompletionQueue::resize(int entries) {
  std::string operation = "resize a completion queue to " + std::to_string(entries) + " entries";
  if (entries > device()->limits.max_cqe) {
    return limitError(*device(), operation, "length", static_cast<uint64_t>(entries),
                      static_cast<uint64_t>(device()->limits.max_cqe));
  }
  if (int rc = provider().resize_cq(get(), entries); rc != 0) {
    return creationError(*device(), operation, rc);
  }
  return {};
}

}  // namespace verbena::verbs
