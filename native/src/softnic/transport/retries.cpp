// SPDX-License-Identifier: Apache-2.0
#include "softnic/transport/retries.h"

#include <array>
#include <utility>

#include "base/clock.h"
#include "softnic/device/context.h"
#include "softnic/transport/completer.h"
#include "softnic/transport/requester.h"

namespace verbena::softnic {
namespace {

void endPause(QueuePair& qp) {
  if (unpause(qp)) {
    if (qp.requester.retriesLeft == 0) return failOldest(qp, IBV_WC_RETRY_EXC_ERR);
    qp.requester.retriesLeft--;
  }
  transmit(qp);
  qp.link->publish();
}

}  // namespace

void progressed(QueuePair& qp) {
  qp.requester.retriesLeft = qp.attributes.retry_cnt;
  qp.requester.rnrRetriesLeft = qp.attributes.rnr_retry;
  qp.requester.lastProgressNs = qp.owner().nowNs;
}

void restartFromOldest(QueuePair& qp) {
  qp.sends.sent = qp.sends.done;
  qp.requester.fragmentOffset = 0;
  qp.requester.midMessage = false;
  qp.requester.responsesAwaited = 0;
}

bool unpause(QueuePair& qp) {
  if (qp.requester.pausedUntilNs != 0) qp.owner().paused--;
  qp.requester.pausedUntilNs = 0;
  return std::exchange(qp.requester.pausedByDrop, false);
}

void pauseSends(QueuePair& qp, uint64_t endNs) {
  restartFromOldest(qp);
  if (qp.requester.pausedUntilNs == 0) qp.owner().paused++;
  qp.requester.pausedUntilNs = endNs;
  qp.owner().activate(qp);
}

void receiverNotReady(QueuePair& qp, uint8_t timer) {
  RequesterState& state = qp.requester;
  if (state.rnrRetriesLeft == 0) return failOldest(qp, IBV_WC_RNR_RETRY_EXC_ERR);
  constexpr uint8_t kWithoutEnd = 7;
  if (state.rnrRetriesLeft != kWithoutEnd) state.rnrRetriesLeft--;
  pauseSends(qp, base::monotonicNs() + rnrTimerNs(timer));
}

bool checkTimer(QueuePair& qp, uint64_t now) {
  RequesterState& state = qp.requester;
  if (!awaitsAnswers(qp) || qp.sends.idle()) return false;
  bool copied = (qp.copy.due || qp.copy.running) && qp.sends.done == qp.copy.index;
  if (copied) return false;  // nobody else is waited for
  if (state.pausedUntilNs != 0) {
    if (now < state.pausedUntilNs) return false;
    endPause(qp);
    return true;
  }
  uint64_t timeout = ackTimeoutNs(qp.attributes.timeout);
  if (timeout == 0 || now - state.lastProgressNs < timeout) return false;
  state.lastProgressNs = now;
  if (!qp.link->peerGone()) return false;  // slow is not gone
  qp.link->peerLeft();
  if (qp.link->canReceive()) return false;  // what it has said before may be the answer
  if (state.retriesLeft == 0) {
    failOldest(qp, IBV_WC_RETRY_EXC_ERR);
  } else {
    state.retriesLeft--;
  }
  return true;
}

uint64_t ackTimeoutNs(uint8_t code) {
  return code == 0 ? 0 : uint64_t{4096} << code;
}

uint64_t rnrTimerNs(uint8_t code) {
  // InfiniBand Architecture Specification, volume 1, table "Encoding for RNR NAK timer field", in
  // units of 10 us; code 0 is the longest.
  static constexpr std::array<uint32_t, 32> kTensOfUs = {
      65536, 1,    2,    3,    4,    6,     8,     12,    16,    24,   32,
      48,    64,   96,   128,  192,  256,   384,   512,   768,   1024, 1536,
      2048,  3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152};
  return uint64_t{kTensOfUs[code & 31]} * 10'000;
}

}  // namespace verbena::softnic
