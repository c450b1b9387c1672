// SPDX-License-Identifier: Apache-2.0
//
// Queue pairs, reliable connected (RC) and unreliable datagram (UD), and their way through the
// states.
//
//   RESET  nothing may be posted
//   INIT   receives may be posted, nothing arrives
//   RTR    ready to receive: what the remote side sends arrives
//   RTS    ready to send: both ways
//   ERR    everything posted completes flushed; left through RESET only
#pragma once

#include "verbs/completion.h"
#include "verbs/path.h"
#include "verbs/shared_receive_queue.h"

namespace verbena::verbs {

struct QueuePairOptions {
  ibv_qp_type type = IBV_QPT_RC;  ///< or IBV_QPT_UD
  uint32_t sendWorkRequests = 128;
  uint32_t receiveWorkRequests = 128;  ///< not used with a shared receive queue
  uint32_t sendSge = 1;
  uint32_t receiveSge = 1;
  uint32_t inlineBytes = 0;
  bool signalAll = false;  ///< every send completes visibly, IBV_SEND_SIGNALED or not
  const SharedReceiveQueue* sharedReceiveQueue = nullptr;
};

struct InitAttributes {
  uint8_t port = 1;
  uint16_t pkeyIndex = 0;
  int remoteAccess = 0;  ///< RC: IBV_ACCESS_REMOTE_* that the remote side may use
  uint32_t qkey = 0;     ///< UD: what datagrams to this queue pair must carry
};

/// Of RC only; UD has nothing to set.
struct RtrAttributes {
  Path path{};
  ibv_mtu mtu = IBV_MTU_1024;
  uint32_t remoteQpNum = 0;
  uint32_t receivePsn = 0;     ///< the remote side's sendPsn
  uint8_t maxReadsServed = 1;  ///< READs and atomics of the remote side served at a time
  uint8_t minRnrTimer = 12;    ///< 0.64 ms: the pause asked for when no receive is posted
};

/// Of UD only sendPsn is used.
struct RtsAttributes {
  uint32_t sendPsn = 0;
  uint8_t timeout = 14;    ///< 4.096 us * 2^timeout until a packet is sent again; 0 for never
  uint8_t retryCount = 7;  ///< at most 7
  uint8_t rnrRetry = 6;    ///< at most 6; 7 retries without end and hides a receiver that is stuck
  uint8_t maxReadsIssued = 1;  ///< own READs and atomics in flight at a time
};

class QueuePair : public Handle<ibv_qp> {
 public:
  static base::Result<QueuePair> create(const ProtectionDomain& pd,
                                        const CompletionQueue& sendQueue,
                                        const CompletionQueue& receiveQueue,
                                        const QueuePairOptions& options);

  uint32_t qpNum() const { return get()->qp_num; }
  ibv_qp_type type() const { return get()->qp_type; }
  /// What the device gave, at least what was asked for.
  const ibv_qp_cap& capacity() const { return capacity_; }

  /// RESET -> INIT.
  base::Result<void> toInit(const InitAttributes& attributes);
  /// INIT -> RTR.
  base::Result<void> toRtr(const RtrAttributes& attributes = {});
  /// RTR -> RTS.
  base::Result<void> toRts(const RtsAttributes& attributes = {});
  /// RTS: what the remote side may use from here on, IBV_ACCESS_REMOTE_*.
  base::Result<void> allow(int remoteAccess);
  /// From any state: whatever is posted completes with IBV_WC_WR_FLUSH_ERR.
  base::Result<void> toError();
  /// From any state: whatever is posted is forgotten without a completion.
  base::Result<void> toReset();

  /// As the device sees it now; an error may have moved it.
  base::Result<ibv_qp_state> state() const;

 private:
  QueuePair(std::shared_ptr<const OpenDevice> device, std::shared_ptr<ibv_qp> object,
            const ibv_qp_cap& capacity)
      : Handle(std::move(device), std::move(object)), capacity_(capacity) {}

  base::Result<void> moveTo(ibv_qp_state state, ibv_qp_attr& attributes, int mask);

  ibv_qp_cap capacity_;
};

}  // namespace verbena::verbs
