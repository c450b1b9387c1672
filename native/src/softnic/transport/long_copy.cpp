// SPDX-License-Identifier: Apache-2.0
#include "softnic/transport/long_copy.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "softnic/device/context.h"
#include "softnic/device/limits.h"
#include "softnic/memory/direct.h"
#include "softnic/transport/completer.h"
#include "softnic/transport/direct_request.h"
#include "softnic/transport/faulty.h"
#include "softnic/transport/requester.h"
#include "softnic/transport/send_packets.h"

namespace verbena::softnic {
namespace {

using Guard = std::unique_lock<host::Lock>;

/// Our side of a piece: places that stay ours, checked and held until the object goes.
class LocalPieces {
 public:
  LocalPieces() = default;
  LocalPieces(const LocalPieces&) = delete;
  LocalPieces& operator=(const LocalPieces&) = delete;
  /// Under the lock.
  ~LocalPieces() {
    for (size_t i = 0; i < count_; i++) {
      if (places_[i].region != nullptr) places_[i].region->copies--;
    }
  }

  /// False if a part of the range may not be used so.
  bool hold(QueuePair& qp, uint64_t index, uint64_t offset, size_t bytes, uint32_t access) {
    if (qp.sends.at(index).has(IBV_SEND_INLINE)) {
      places_[count_++] = {qp.sends.inlineData(index) + offset, bytes, nullptr};
      return true;
    }
    return forEachPiece(localMemory(qp, index), access, offset, bytes,
                        [&](MemoryRegion& region, std::byte* place, size_t count) {
                          region.copies++;
                          places_[count_++] = {place, count, &region};
                        });
  }

  /// Calls use(place, count) for each part of [from, to).
  template <typename Use>
  void forEach(size_t from, size_t to, Use use) const {
    for (size_t i = 0; i < count_ && from < to; i++) {
      const Place& each = places_[i];
      if (from < each.bytes) use(each.start + from, std::min(each.bytes, to) - from);
      from -= std::min(each.bytes, from);
      to -= std::min(each.bytes, to);
    }
  }

 private:
  struct Place {
    std::byte* start;
    size_t bytes;
    MemoryRegion* region;
  };
  std::array<Place, kMaxSge> places_{};
  size_t count_ = 0;
};

void copyOut(const LocalPieces& local, size_t from, size_t to, std::byte* remote) {
  local.forEach(from, to, [&](const std::byte* place, size_t count) {
    std::memcpy(remote, place, count);
    remote += count;
  });
}

void copyIn(const LocalPieces& local, size_t from, size_t to, std::byte* remote) {
  local.forEach(from, to, [&](std::byte* place, size_t count) {
    std::memcpy(place, remote, count);
    remote += count;
  });
}

/// What is copied, without the lock; the fault script takes hold of it in the middle.
void transfer(const SendRequest& request, const LocalPieces& local, size_t bytes, std::byte* remote,
              const FaultPoint& middle) {
  if (request.isAtomic()) {
    middle.reach();
    uint64_t original = executeAtomic(request, remote);
    return copyIn(local, 0, bytes, reinterpret_cast<std::byte*>(&original));
  }
  auto copy = request.opcode == IBV_WR_RDMA_READ ? copyIn : copyOut;
  copy(local, 0, bytes / 2, remote);
  middle.reach();
  copy(local, bytes / 2, bytes, remote + bytes / 2);
}

DirectOutcome copyPiece(QueuePair& qp, SendRequest& request, Guard& guard, uint64_t offset) {
  size_t bytes = std::min<uint64_t>(request.lengthBytes - offset, kPieceBytes);
  LocalPieces local;
  uint32_t ownAccess = request.hasResponse() ? IBV_ACCESS_LOCAL_WRITE : 0;
  if (!local.hold(qp, qp.copy.index, offset, bytes, ownAccess))
    return DirectOutcome::BadLocalMemory;
  bool overtakes = qp.sends.done != qp.copy.index;
  DirectAccess granted = qp.link->direct->access(
      {qp.attributes.dest_qp_num, qp.qp_num, request.rkey, neededAccess(request),
       request.remoteAddress + offset, bytes, overtakes, true});
  if (!granted) return DirectOutcome::GoesAsPackets;
  FaultPoint middle = takeFaultPoint(qp, request);
  guard.unlock();
  transfer(request, local, bytes, granted.memory(), middle);
  bool kept = granted.release();
  guard.lock();
  qp.owner().copyEnded();
  if (kept) return DirectOutcome::Done;
  return request.isAtomic() ? DirectOutcome::Unknown : DirectOutcome::GoesAsPackets;
}

/// Whether the copy that was due is still the next thing to do.
bool mayBegin(const QueuePair& qp) {
  return qp.sends.sent == qp.copy.index && qp.requester.pausedUntilNs == 0 && qp.link != nullptr;
}

bool mayGoOn(const QueuePair& qp) {
  return awaitsAnswers(qp) && !qp.copy.unwanted && qp.link->canSend();
}

DirectOutcome copyAll(QueuePair& qp, Guard& guard) {
  std::shared_ptr<Link> link = qp.link;  // it stays while we are without the lock
  SendRequest& request = qp.sends.at(qp.copy.index);
  for (uint64_t offset = 0; offset < request.lengthBytes; offset += kPieceBytes) {
    if (!mayGoOn(qp)) return DirectOutcome::GoesAsPackets;
    DirectOutcome outcome = copyPiece(qp, request, guard, offset);
    if (outcome != DirectOutcome::Done) return outcome;
  }
  return DirectOutcome::Done;
}

/// Says that a thread is at the copy, even if that runs out of memory.
class Running {
 public:
  explicit Running(QueuePair& qp) : qp_(qp) { qp.copy.running = true; }
  ~Running() {
    qp_.copy.running = false;
    qp_.owner().copyEnded();
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  QueuePair& qp_;
};

DirectOutcome copyAsRunning(QueuePair& qp, Guard& guard) {
  Running running(qp);
  return copyAll(qp, guard);
}

}  // namespace

bool isLongCopy(const SendRequest& request) {
  return request.lengthBytes > kShortCopyBytes || holdsInTheMiddle(request);
}

void expectLongCopy(QueuePair& qp) {
  qp.copy.due = true;
  qp.copy.index = qp.sends.sent;
  qp.owner().copiesDue.push_back(&qp);  // enlist() has made room
}

void forgetLongCopy(QueuePair& qp) {
  if (std::exchange(qp.copy.due, false)) std::erase(qp.owner().copiesDue, &qp);
}

void endLongCopy(QueuePair& qp, Guard& guard) {
  forgetLongCopy(qp);
  qp.copy.unwanted = true;
  while (qp.copy.running) qp.owner().waitForCopies(guard);
  qp.copy.unwanted = false;
}

void makeLongCopy(QueuePair& qp, Guard& guard) {
  forgetLongCopy(qp);
  bool begun = mayBegin(qp) && mayGoOn(qp) && qp.link->direct != nullptr;
  if (!begun) return resumeSends(qp);
  bool overtakes = qp.sends.sent != qp.sends.done;
  qp.requester.begun = std::max(qp.requester.begun, qp.copy.index + 1);
  concludeCopy(qp, copyAsRunning(qp, guard), overtakes);
}

}  // namespace verbena::softnic
