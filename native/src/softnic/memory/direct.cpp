// SPDX-License-Identifier: Apache-2.0
#include "softnic/memory/direct.h"

#include <string>

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
  uint64_t mark = packMark(request.ownQpn, request.rkey);
  uint64_t nobody = 0;
  // seq_cst pairs with the target's clearing of a control word, key or segment before it looks for
  // marks: either it sees that we are at work, or we see below that it is cleared
  if (!qp.mark.compare_exchange_strong(nobody, mark, std::memory_order_seq_cst)) return {};
  DirectAccess access(qp.mark, mark);
  QpControl control = unpackControl(qp.control.load(std::memory_order_seq_cst));
  if (!control.receives || control.connectedTo != request.ownQpn) return {};
  if ((control.accessFlags & request.access) != request.access) return {};
  locate(request, control.pd, access);
  return access;
}

/// Fills in the memory if the request may touch it.
void DirectWindow::locate(const DirectRequest& request, uint32_t pd, DirectAccess& access) {
  uint32_t index = regionIndexOf(request.rkey);
  // acquire pairs with the release in backRegion()
  if (index >= port()->regionsUsed.load(std::memory_order_acquire)) return;
  const PublishedRegion& region = port()->regions[index];
  // seq_cst as for the control word; the region's fields belong to the key that is found here
  uint64_t word = region.keyAndAccess.load(std::memory_order_seq_cst);
  if (static_cast<uint32_t>(word) != request.rkey) return;
  uint32_t needed = request.access;
  if (request.overtakes) needed |= IBV_ACCESS_RELAXED_ORDERING;
  if ((static_cast<uint32_t>(word >> 32) & needed) != needed) return;
  if (region.pd.load(std::memory_order_relaxed) != pd) return;
  uint64_t length = region.lengthBytes.load(std::memory_order_relaxed);
  uint64_t offset = request.address - region.address.load(std::memory_order_relaxed);
  if (offset > length || request.lengthBytes > length - offset) return;
  std::shared_ptr<const host::SharedFile>* file =
      map(region.segment.load(std::memory_order_seq_cst));  // likewise
  if (file == nullptr) return;
  // The owner's numbers are only as good as its word: the file has the last one.
  uint64_t bytes = (*file)->bytes();
  uint64_t start = region.segmentOffset.load(std::memory_order_relaxed);
  if (start > bytes || offset > bytes - start) return;
  if (request.lengthBytes > bytes - start - offset) return;
  bool atomic = request.access == IBV_ACCESS_REMOTE_ATOMIC;
  if (atomic && (start + offset) % sizeof(uint64_t) != 0) return;
  access.memory_ = (*file)->as<std::byte>() + start + offset;
  if (request.beyondLock) access.file_ = *file;
}

std::shared_ptr<const host::SharedFile>* DirectWindow::map(uint32_t segment) {
  if (segment == 0) return nullptr;
  for (Mapped& mapped : mapped_) {
    if (mapped.segment == segment) return &mapped.file;
  }
  dropFreed();
  std::string path = folder_.segments(port()->incarnation).path(segment);
  host::SharedFile file = host::SharedFile::open(path, 1);
  if (!file) return nullptr;
  mapped_.push_back({segment, std::make_shared<const host::SharedFile>(std::move(file))});
  return &mapped_.back().file;
}

bool DirectWindow::someFreed() const {
  // acquire pairs with the release in freeShareable(): the file has lost its name; seq_cst with the
  // fence in Links::tellFreed()
  return port()->segmentsFreed.load(std::memory_order_seq_cst) != freedSeen_;
}

void DirectWindow::dropFreed() {
  freedSeen_ = port()->segmentsFreed.load(std::memory_order_acquire);  // as above
  std::erase_if(mapped_, [](const Mapped& mapped) { return mapped.file->removed(); });
}

}  // namespace verbena::softnic
