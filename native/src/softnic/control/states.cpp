// SPDX-License-Identifier: Apache-2.0
#include "softnic/control/states.h"

#include <cerrno>

#include "softnic/device/context.h"
#include "softnic/device/limits.h"
#include "softnic/transport/long_copy.h"
#include "softnic/transport/requester.h"

namespace verbena::softnic {
namespace {

/// One way from a state to another: the attributes it takes besides the state itself.
struct Transition {
  ibv_qp_type type;
  ibv_qp_state from;
  ibv_qp_state to;
  int required;
  int optional;
};

constexpr int kRcTuning = IBV_QP_CUR_STATE | IBV_QP_ACCESS_FLAGS | IBV_QP_MIN_RNR_TIMER;
constexpr int kUdTuning = IBV_QP_CUR_STATE | IBV_QP_QKEY;

/// InfiniBand Architecture Specification, volume 1, section 11.2.5.2 ("Modify Queue Pair"). Paths
/// of their own (alternate paths) are not offered.
constexpr Transition kTransitions[] = {
    {IBV_QPT_RC, IBV_QPS_RESET, IBV_QPS_INIT, IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS,
     0},
    {IBV_QPT_RC, IBV_QPS_INIT, IBV_QPS_INIT, 0,
     IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS},
    {IBV_QPT_RC, IBV_QPS_INIT, IBV_QPS_RTR,
     IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
         IBV_QP_MIN_RNR_TIMER,
     IBV_QP_PKEY_INDEX | IBV_QP_ACCESS_FLAGS},
    {IBV_QPT_RC, IBV_QPS_RTR, IBV_QPS_RTS,
     IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC,
     kRcTuning},
    {IBV_QPT_RC, IBV_QPS_RTS, IBV_QPS_RTS, 0, kRcTuning},
    {IBV_QPT_RC, IBV_QPS_RTS, IBV_QPS_SQD, 0, IBV_QP_EN_SQD_ASYNC_NOTIFY},
    {IBV_QPT_RC, IBV_QPS_SQD, IBV_QPS_RTS, 0, kRcTuning},
    {IBV_QPT_RC, IBV_QPS_SQD, IBV_QPS_SQD, 0,
     kRcTuning | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC |
         IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_PKEY_INDEX},
    {IBV_QPT_UD, IBV_QPS_RESET, IBV_QPS_INIT, IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY, 0},
    {IBV_QPT_UD, IBV_QPS_INIT, IBV_QPS_INIT, 0, IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY},
    {IBV_QPT_UD, IBV_QPS_INIT, IBV_QPS_RTR, 0, IBV_QP_PKEY_INDEX | IBV_QP_QKEY},
    {IBV_QPT_UD, IBV_QPS_RTR, IBV_QPS_RTS, IBV_QP_SQ_PSN, kUdTuning},
    {IBV_QPT_UD, IBV_QPS_RTS, IBV_QPS_RTS, 0, kUdTuning},
    {IBV_QPT_UD, IBV_QPS_RTS, IBV_QPS_SQD, 0, IBV_QP_EN_SQD_ASYNC_NOTIFY},
    {IBV_QPT_UD, IBV_QPS_SQD, IBV_QPS_RTS, 0, kUdTuning},
    {IBV_QPT_UD, IBV_QPS_SQD, IBV_QPS_SQD, 0, IBV_QP_PKEY_INDEX | IBV_QP_QKEY},
    {IBV_QPT_UD, IBV_QPS_SQE, IBV_QPS_RTS, 0, kUdTuning},
};

/// Whether there is a way that takes exactly these attributes. RESET and ERR are reached from
/// anywhere, and take none.
bool leadsThere(const QueuePair& qp, ibv_qp_state to, int mask) {
  mask &= ~IBV_QP_STATE;
  if (to == IBV_QPS_RESET || to == IBV_QPS_ERR) return (mask & ~IBV_QP_CUR_STATE) == 0;
  for (const Transition& way : kTransitions) {
    if (way.type != qp.qp_type || way.from != qp.state || way.to != to) continue;
    return (mask & way.required) == way.required && (mask & ~(way.required | way.optional)) == 0;
  }
  return false;
}

bool validAddress(const QueuePair& qp, const ibv_ah_attr& address) {
  return address.is_global != 0 && address.port_num == 1 &&
         address.grh.sgid_index < qp.owner().port().gidCount;
}

bool validValues(const QueuePair& qp, const ibv_qp_attr& wanted, int mask) {
  auto given = [mask](int attribute) { return (mask & attribute) != 0; };
  constexpr uint32_t kRemoteAccess = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
                                     IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;
  if (given(IBV_QP_PORT) && wanted.port_num != 1) return false;
  if (given(IBV_QP_PKEY_INDEX) && wanted.pkey_index != 0) return false;
  if (given(IBV_QP_ACCESS_FLAGS) && (wanted.qp_access_flags & ~kRemoteAccess) != 0) return false;
  if (given(IBV_QP_PATH_MTU) && (wanted.path_mtu < IBV_MTU_256 || wanted.path_mtu > IBV_MTU_4096)) {
    return false;
  }
  if (given(IBV_QP_DEST_QPN) && wanted.dest_qp_num > kQpnMask) return false;
  if (given(IBV_QP_RQ_PSN) && wanted.rq_psn > kPsnMask) return false;
  if (given(IBV_QP_SQ_PSN) && wanted.sq_psn > kPsnMask) return false;
  if (given(IBV_QP_MAX_DEST_RD_ATOMIC) && wanted.max_dest_rd_atomic > kMaxReads) return false;
  if (given(IBV_QP_MAX_QP_RD_ATOMIC) && wanted.max_rd_atomic > kMaxReads) return false;
  if (given(IBV_QP_MIN_RNR_TIMER) && wanted.min_rnr_timer > 31) return false;
  if (given(IBV_QP_TIMEOUT) && wanted.timeout > 31) return false;
  if (given(IBV_QP_RETRY_CNT) && wanted.retry_cnt > 7) return false;
  if (given(IBV_QP_RNR_RETRY) && wanted.rnr_retry > 7) return false;
  return !given(IBV_QP_AV) || validAddress(qp, wanted.ah_attr);
}

void copyAttributes(ibv_qp_attr& into, const ibv_qp_attr& from, int mask) {
  if (mask & IBV_QP_PKEY_INDEX) into.pkey_index = from.pkey_index;
  if (mask & IBV_QP_PORT) into.port_num = from.port_num;
  if (mask & IBV_QP_QKEY) into.qkey = from.qkey;
  if (mask & IBV_QP_ACCESS_FLAGS) into.qp_access_flags = from.qp_access_flags;
  if (mask & IBV_QP_AV) into.ah_attr = from.ah_attr;
  if (mask & IBV_QP_PATH_MTU) into.path_mtu = from.path_mtu;
  if (mask & IBV_QP_DEST_QPN) into.dest_qp_num = from.dest_qp_num;
  if (mask & IBV_QP_RQ_PSN) into.rq_psn = from.rq_psn;
  if (mask & IBV_QP_SQ_PSN) into.sq_psn = from.sq_psn;
  if (mask & IBV_QP_MAX_DEST_RD_ATOMIC) into.max_dest_rd_atomic = from.max_dest_rd_atomic;
  if (mask & IBV_QP_MAX_QP_RD_ATOMIC) into.max_rd_atomic = from.max_rd_atomic;
  if (mask & IBV_QP_MIN_RNR_TIMER) into.min_rnr_timer = from.min_rnr_timer;
  if (mask & IBV_QP_TIMEOUT) into.timeout = from.timeout;
  if (mask & IBV_QP_RETRY_CNT) into.retry_cnt = from.retry_cnt;
  if (mask & IBV_QP_RNR_RETRY) into.rnr_retry = from.rnr_retry;
  if (mask & IBV_QP_EN_SQD_ASYNC_NOTIFY) into.en_sqd_async_notify = from.en_sqd_async_notify;
}

/// The errno of why not. A peer to which there is a way and that is not there is found out by
/// sending to it, as on every fabric: the link is dead from its birth.
int connect(QueuePair& qp, const ibv_qp_attr& wanted) {
  Links& links = qp.owner().links;
  std::shared_ptr<Link> link = links.to(wanted.ah_attr.grh.dgid, wanted.dest_qp_num);
  bool isNoWay = errno == ENETUNREACH || errno == ESTALE;
  if (link == nullptr && (isNoWay || base::isExhausted(errno))) return errno;
  if (link == nullptr) link = links.toNobody();
  link->pending.reserve(qp.owner().qps.size());  // deferring a queue pair's answers needs no memory
  qp.link = std::move(link);
  qp.responder.expectedPsn = wanted.rq_psn;
  return 0;
}

void applyTransition(QueuePair& qp, ibv_qp_state from) {
  if (from == IBV_QPS_RTR && qp.state == IBV_QPS_RTS) {
    qp.requester.firstPsn = qp.attributes.sq_psn;
    qp.requester.indexOfFirstPsn = qp.sends.posted;
  }
  publishState(qp);
  if (from == IBV_QPS_RTS && qp.state == IBV_QPS_SQD) {
    qp.drainReported = false;
    reportDrained(qp);
  }
  if (from == IBV_QPS_SQD && qp.state == IBV_QPS_RTS) startSends(qp);
}

}  // namespace

int changeState(QueuePair& qp, const ibv_qp_attr& wanted, int mask) {
  if ((mask & IBV_QP_CUR_STATE) != 0 && wanted.cur_qp_state != qp.state) return EINVAL;
  ibv_qp_state to = (mask & IBV_QP_STATE) != 0 ? wanted.qp_state : qp.state;
  if (!leadsThere(qp, to, mask) || !validValues(qp, wanted, mask)) return EINVAL;
  if (to == IBV_QPS_RESET) {
    resetQp(qp);
    return 0;
  }
  if (to == IBV_QPS_ERR) {
    enterError(qp);
    return 0;
  }
  if (qp.qp_type == IBV_QPT_RC && qp.state == IBV_QPS_INIT && to == IBV_QPS_RTR) {
    if (int rc = connect(qp, wanted); rc != 0) return rc;
  }
  copyAttributes(qp.attributes, wanted, mask);
  ibv_qp_state from = qp.state;
  qp.state = to;
  applyTransition(qp, from);
  return 0;
}

void resetQp(QueuePair& qp) {
  qp.state = IBV_QPS_RESET;
  publishState(qp);
  forgetLongCopy(qp);
  if (qp.requester.pausedUntilNs != 0) qp.owner().paused--;
  if (qp.link != nullptr) std::erase(qp.link->pending, &qp);
  qp.pending = false;
  qp.link = nullptr;
  qp.heldBy = nullptr;
  qp.sends.done = qp.sends.sent = qp.sends.posted;
  qp.receives.clear();
  qp.current.taken = false;
  qp.requester = {};
  qp.responder = {};
  qp.established = qp.lastWqeReported = qp.drainReported = false;
}

}  // namespace verbena::softnic
