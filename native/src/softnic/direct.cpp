// SPDX-License-Identifier: Apache-2.0
#include "softnic/direct.h"

#include <algorithm>

#include "base/clock.h"
#include "host/futex.h"
#include "host/sign_of_life.h"

namespace verbena::softnic {

bool DirectWindow::ownerGone() const {
  // acquire pairs with the release in ~Context(): what it had written before is seen
  return port()->open.load(std::memory_order_acquire) == 0 || ownerKilled() || port_.ownerGone();
}

bool DirectWindow::ownerKilled() const {
  return host::SignOfLife::over(port()->alive);
}

DirectAccess DirectWindow::access(const DirectRequest& request) {
  if (port()->open.load(std::memory_order_relaxed) == 0 || ownerKilled()) return {};
  uint32_t index = qpIndexOf(request.targetQpn);
  // acquire pairs with the release in backQp(): below this count the table has memory behind it
  if (index >= port()->qpsUsed.load(std::memory_order_acquire)) return {};
  PublishedQp& qp = port()->qps[index];
  // seq_cst pairs with the target's clearing of a control word or key before waitForDirect():
  // either it sees that we are at work, or we see below that it is cleared
  qp.directKey.store(request.rkey, std::memory_order_seq_cst);
  DirectAccess access(&qp.directKey);
  QpControl control = unpackControl(qp.control.load(std::memory_order_seq_cst));
  if (!control.receives || control.connectedTo != request.ownQpn) return {};
  if ((control.accessFlags & request.access) != request.access) return {};
  access.memory_ = locate(request, control.pd);
  return access;
}

std::byte* DirectWindow::locate(const DirectRequest& request, uint32_t pd) {
  uint32_t index = regionIndexOf(request.rkey);
  // acquire pairs with the release in backRegion()
  if (index >= port()->regionsUsed.load(std::memory_order_acquire)) return nullptr;
  const PublishedRegion& region = port()->regions[index];
  // seq_cst as for the control word; the region's fields belong to the key that is found here
  uint64_t word = region.keyAndAccess.load(std::memory_order_seq_cst);
  if (static_cast<uint32_t>(word) != request.rkey) return nullptr;
  uint32_t needed = request.access;
  if (request.overtakes) needed |= IBV_ACCESS_RELAXED_ORDERING;
  if ((static_cast<uint32_t>(word >> 32) & needed) != needed) return nullptr;
  if (region.pd.load(std::memory_order_relaxed) != pd) return nullptr;
  uint64_t length = region.lengthBytes.load(std::memory_order_relaxed);
  uint64_t offset = request.address - region.address.load(std::memory_order_relaxed);
  if (offset > length || request.lengthBytes > length - offset) return nullptr;
  const host::SharedFile* file = map(region.segment.load(std::memory_order_relaxed));
  if (file == nullptr) return nullptr;
  // The owner's numbers are only as good as its word: the file has the last one.
  uint64_t start = region.segmentOffset.load(std::memory_order_relaxed);
  if (start > file->bytes() || offset > file->bytes() - start) return nullptr;
  if (request.lengthBytes > file->bytes() - start - offset) return nullptr;
  bool atomic = request.access == IBV_ACCESS_REMOTE_ATOMIC;
  if (atomic && (start + offset) % sizeof(uint64_t) != 0) return nullptr;
  return file->as<std::byte>() + start + offset;
}

const host::SharedFile* DirectWindow::map(uint32_t segment) {
  if (segment == 0) return nullptr;
  for (const Mapped& mapped : mapped_) {
    if (mapped.segment == segment) return &mapped.file;
  }
  std::erase_if(mapped_, [](const Mapped& mapped) { return mapped.file.removed(); });
  host::SharedFile file =
      host::SharedFile::open(folder_.segmentPath(port()->incarnation, segment), 1);
  if (!file) return nullptr;
  mapped_.push_back({segment, std::move(file)});
  return &mapped_.back().file;
}

void waitForDirect(PublishedQp& qp, uint32_t rkey, const DirectWindow* peer) {
  constexpr uint64_t kPatienceNs = 1'000'000'000;
  constexpr uint64_t kLookNs = 1'000'000;
  uint64_t start = 0;
  uint64_t nextLook = 0;
  while (true) {
    // seq_cst pairs with the store in DirectWindow::access(), acquire with ~DirectAccess()
    uint32_t mark = qp.directKey.load(std::memory_order_seq_cst);
    if (mark == 0 || (rkey != 0 && mark != rkey)) return;
    uint64_t now = base::monotonicNs();
    if (start == 0) start = nextLook = now;
    bool gone = false;
    if (now >= nextLook) {
      nextLook = now + kLookNs;
      gone = peer != nullptr && peer->ownerGone();
    }
    if (gone || now - start > kPatienceNs) {
      qp.directKey.store(0, std::memory_order_relaxed);  // nobody waits for this one again
      return;
    }
    host::pause();
  }
}

}  // namespace verbena::softnic
