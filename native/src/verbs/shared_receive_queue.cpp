// SPDX-License-Identifier: Apache-2.0
#include "verbs/shared_receive_queue.h"

#include <cerrno>

#include "verbs/advice.h"

namespace verbena::verbs {

base::Result<SharedReceiveQueue> SharedReceiveQueue::create(const ProtectionDomain& pd,
                                                            uint32_t maxWorkRequests,
                                                            uint32_t maxSge) {
  const OpenDevice& device = *pd.device();
  std::string operation =
      "create a shared receive queue of " + std::to_string(maxWorkRequests) + " work requests";
  auto maxWr = static_cast<uint64_t>(device.limits.max_srq_wr);
  auto maxSgeOfDevice = static_cast<uint64_t>(device.limits.max_srq_sge);
  if (maxWorkRequests > maxWr) {
    return limitError(device, operation, "length", maxWorkRequests, maxWr);
  }
  if (maxSge > maxSgeOfDevice) {
    return limitError(device, operation, "scatter-gather list", maxSge, maxSgeOfDevice);
  }
  ibv_srq_init_attr attributes{};
  attributes.attr = {maxWorkRequests, maxSge, 0};
  ibv_srq* raw = pd.provider().create_srq(pd.get(), &attributes);
  if (raw == nullptr) return creationError(device, operation, errno);
  return SharedReceiveQueue(pd.device(), own(raw, pd.provider().destroy_srq, pd.share()));
}

base::Result<void> SharedReceiveQueue::armLimit(uint32_t limit) {
  ibv_srq_attr attributes{};
  attributes.srq_limit = limit;
  if (int rc = provider().modify_srq(get(), &attributes, IBV_SRQ_LIMIT); rc != 0) {
    return base::Error{"arm a shared receive queue's limit of " + std::to_string(limit),
                       device()->name, rc, "the limit is at most the length of the queue"};
  }
  return {};
}

base::Result<ibv_srq_attr> SharedReceiveQueue::query() const {
  ibv_srq_attr attributes{};
  if (int rc = provider().query_srq(get(), &attributes); rc != 0) {
    return base::Error{"query a shared receive queue", device()->name, rc, ""};
  }
  return attributes;
}

}  // namespace verbena::verbs
