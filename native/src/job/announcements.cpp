// SPDX-License-Identifier: Apache-2.0
#include "job/announcements.h"

#include <algorithm>

#include "job/bytes.h"

namespace verbena::job {
namespace {

constexpr uint64_t kNow = 0;

BytesOut statusOf(const End& end) {
  return std::move(BytesOut().number(static_cast<uint32_t>(end.status)));
}

}  // namespace

void Announcements::add(Stream& listener) {
  for (uint32_t rank = 0; rank < table().size(); rank++) {
    if (!table().hasPublished(rank)) continue;
    listener.send(FrameKind::published, rank, table().address(rank, kNow).value());
  }
  for (uint32_t number = 0; number < ended_; number++) {
    End end = table().end(number, kNow).value();
    listener.send(FrameKind::ended, end.rank, statusOf(end).all());
  }
  listeners_.push_back(&listener);
}

void Announcements::remove(const Stream& listener) {
  std::erase(listeners_, &listener);
}

void Announcements::publish(uint32_t rank, std::span<const std::byte> address, const Stream* from) {
  if (table().hasPublished(rank)) return;
  table_.table().publish(rank, address);
  tell(from, FrameKind::published, rank, address);
}

void Announcements::end(const End& end, const Stream* from) {
  if (table().hasEnded(end.rank)) return;
  table_.table().end(end);
  ended_++;
  tell(from, FrameKind::ended, end.rank, statusOf(end).all());
}

void Announcements::tell(const Stream* from, FrameKind kind, uint32_t rank,
                         std::span<const std::byte> bytes) {
  for (Stream* listener : listeners_) {
    if (listener != from) listener->send(kind, rank, bytes);
  }
}

}  // namespace verbena::job
