// SPDX-License-Identifier: Apache-2.0
#include "verbs/queue_pair.h"

#include <cerrno>
#include <initializer_list>

#include "verbs/advice.h"
#include "verbs/names.h"

namespace verbena::verbs {
namespace {

/// Queue pair numbers and packet sequence numbers have 24 bits on the wire.
constexpr uint64_t kMax24Bits = (1U << 24) - 1;
constexpr uint64_t kMax5Bits = 31;
constexpr uint64_t kMax3Bits = 7;

struct Limit {
  const char* what;
  uint64_t value;
  uint64_t max;
};

base::Result<void> within(const OpenDevice& device, const std::string& operation,
                          std::initializer_list<Limit> limits) {
  for (const Limit& limit : limits) {
    if (limit.value > limit.max) {
      return limitError(device, operation, limit.what, limit.value, limit.max);
    }
  }
  return {};
}

base::Result<void> checkSizes(const OpenDevice& device, const std::string& operation,
                              const QueuePairOptions& options) {
  auto maxWr = static_cast<uint64_t>(device.limits.max_qp_wr);
  auto maxSge = static_cast<uint64_t>(device.limits.max_sge);
  return within(device, operation,
                {{"send queue", options.sendWorkRequests, maxWr},
                 {"receive queue", options.receiveWorkRequests, maxWr},
                 {"send scatter-gather list", options.sendSge, maxSge},
                 {"receive scatter-gather list", options.receiveSge, maxSge}});
}

ibv_qp_init_attr toAttributes(const QueuePairOptions& options, const CompletionQueue& sendQueue,
                              const CompletionQueue& receiveQueue) {
  ibv_qp_init_attr attributes{};
  attributes.qp_type = options.type;
  attributes.send_cq = sendQueue.get();
  attributes.recv_cq = receiveQueue.get();
  attributes.sq_sig_all = options.signalAll ? 1 : 0;
  attributes.cap.max_send_wr = options.sendWorkRequests;
  attributes.cap.max_send_sge = options.sendSge;
  attributes.cap.max_inline_data = options.inlineBytes;
  if (options.sharedReceiveQueue != nullptr) {
    attributes.srq = options.sharedReceiveQueue->get();
  } else {
    attributes.cap.max_recv_wr = options.receiveWorkRequests;
    attributes.cap.max_recv_sge = options.receiveSge;
  }
  return attributes;
}

const char* predecessor(ibv_qp_state state) {
  switch (state) {
    case IBV_QPS_INIT: return "RESET";
    case IBV_QPS_RTR: return "INIT";
    case IBV_QPS_RTS: return "RTR";
    case IBV_QPS_RESET:
    case IBV_QPS_SQD:
    case IBV_QPS_SQE:
    case IBV_QPS_ERR:
    case IBV_QPS_UNKNOWN: break;
  }
  return "any state";
}

std::string objectName(const QueuePair& queuePair) {
  return queuePair.device()->name + " " + typeName(queuePair.type()) + " queue pair " +
         std::to_string(queuePair.qpNum());
}

}  // namespace

base::Result<QueuePair> QueuePair::create(const ProtectionDomain& pd,
                                          const CompletionQueue& sendQueue,
                                          const CompletionQueue& receiveQueue,
                                          const QueuePairOptions& options) {
  const OpenDevice& device = *pd.device();
  std::string operation = std::string("create a queue pair of type ") + typeName(options.type);
  if (base::Result<void> checked = checkSizes(device, operation, options); !checked)
    return checked.error();
  ibv_qp_init_attr attributes = toAttributes(options, sendQueue, receiveQueue);
  ibv_qp* raw = pd.provider().create_qp(pd.get(), &attributes);
  if (raw == nullptr) return creationError(device, operation, errno);
  std::shared_ptr<ibv_srq> srq =
      options.sharedReceiveQueue != nullptr ? options.sharedReceiveQueue->share() : nullptr;
  auto owned = own(raw, pd.provider().destroy_qp, pd.share(), sendQueue.share(),
                   receiveQueue.share(), std::move(srq));
  return QueuePair(pd.device(), std::move(owned), attributes.cap);
}

base::Result<void> QueuePair::toInit(const InitAttributes& attributes) {
  ibv_qp_attr values{};
  values.port_num = attributes.port;
  values.pkey_index = attributes.pkeyIndex;
  int mask = IBV_QP_PKEY_INDEX | IBV_QP_PORT;
  if (type() == IBV_QPT_UD) {
    values.qkey = attributes.qkey;
    mask |= IBV_QP_QKEY;
  } else {
    values.qp_access_flags = static_cast<unsigned>(attributes.remoteAccess);
    mask |= IBV_QP_ACCESS_FLAGS;
  }
  base::Result<void> checked = within(*device(), "move to INIT",
                                      {{"port", attributes.port, device()->limits.phys_port_cnt}});
  if (!checked) return checked;
  return moveTo(IBV_QPS_INIT, values, mask);
}

base::Result<void> QueuePair::toRtr(const RtrAttributes& attributes) {
  ibv_qp_attr values{};
  if (type() == IBV_QPT_UD) return moveTo(IBV_QPS_RTR, values, 0);
  base::Result<void> checked =
      within(*device(), "move to RTR",
             {{"remote queue pair number", attributes.remoteQpNum, kMax24Bits},
              {"packet sequence number", attributes.receivePsn, kMax24Bits},
              {"number of READs served", attributes.maxReadsServed,
               static_cast<uint64_t>(device()->limits.max_qp_rd_atom)},
              {"RNR timer", attributes.minRnrTimer, kMax5Bits}});
  if (!checked) return checked;
  values.ah_attr = verbs::toAttributes(attributes.path);
  values.path_mtu = attributes.mtu;
  values.dest_qp_num = attributes.remoteQpNum;
  values.rq_psn = attributes.receivePsn;
  values.max_dest_rd_atomic = attributes.maxReadsServed;
  values.min_rnr_timer = attributes.minRnrTimer;
  return moveTo(IBV_QPS_RTR, values,
                IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                    IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
}

base::Result<void> QueuePair::toRts(const RtsAttributes& attributes) {
  base::Result<void> checked =
      within(*device(), "move to RTS",
             {{"packet sequence number", attributes.sendPsn, kMax24Bits},
              {"time-out", attributes.timeout, kMax5Bits},
              {"retry count", attributes.retryCount, kMax3Bits},
              {"RNR retry count", attributes.rnrRetry, kMax3Bits},
              {"number of READs issued", attributes.maxReadsIssued,
               static_cast<uint64_t>(device()->limits.max_qp_init_rd_atom)}});
  if (!checked) return checked;
  ibv_qp_attr values{};
  values.sq_psn = attributes.sendPsn;
  if (type() == IBV_QPT_UD) return moveTo(IBV_QPS_RTS, values, IBV_QP_SQ_PSN);
  values.timeout = attributes.timeout;
  values.retry_cnt = attributes.retryCount;
  values.rnr_retry = attributes.rnrRetry;
  values.max_rd_atomic = attributes.maxReadsIssued;
  return moveTo(IBV_QPS_RTS, values,
                IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                    IBV_QP_MAX_QP_RD_ATOMIC);
}

base::Result<void> QueuePair::allow(int remoteAccess) {
  ibv_qp_attr values{};
  values.qp_access_flags = static_cast<unsigned>(remoteAccess);
  return moveTo(IBV_QPS_RTS, values, IBV_QP_ACCESS_FLAGS);
}

base::Result<void> QueuePair::toError() {
  ibv_qp_attr values{};
  return moveTo(IBV_QPS_ERR, values, 0);
}

base::Result<void> QueuePair::toReset() {
  ibv_qp_attr values{};
  return moveTo(IBV_QPS_RESET, values, 0);
}

base::Result<void> QueuePair::moveTo(ibv_qp_state next, ibv_qp_attr& attributes, int mask) {
  attributes.qp_state = next;
  int rc = provider().modify_qp(get(), &attributes, mask | IBV_QP_STATE);
  if (rc == 0) return {};
  if (std::string why = deviceAdvice(*device(), rc); !why.empty()) {
    return base::Error{std::string("move to ") + stateName(next), objectName(*this), rc, why};
  }
  base::Result<ibv_qp_state> current = state();
  std::string advice = std::string("it is in ") +
                       (current ? stateName(*current) : "a state unknown") + "; " +
                       stateName(next) + " is reached from " + predecessor(next);
  return base::Error{std::string("move to ") + stateName(next), objectName(*this), rc, advice};
}

base::Result<ibv_qp_state> QueuePair::state() const {
  ibv_qp_attr attributes{};
  ibv_qp_init_attr initial{};
  int rc = provider().query_qp(get(), &attributes, IBV_QP_STATE, &initial);
  if (rc != 0) return base::Error{"query the state", objectName(*this), rc, ""};
  return attributes.qp_state;
}

}  // namespace verbena::verbs
