// SPDX-License-Identifier: Apache-2.0
//
// What the ranks of a job are to know of each other, and who is told: the agents of verbena-run's
// hosts, or the ranks themselves.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "job/own_table.h"
#include "job/stream.h"

namespace verbena::job {

/// One thread.
class Announcements {
 public:
  explicit Announcements(uint32_t size) : table_(size) {}

  const Table& table() const { return table_.table(); }
  uint32_t ended() const { return ended_; }

  /// Tells a stream, which is to outlive this or be removed, what was announced, and from now on
  /// what is announced by others.
  void add(Stream& listener);
  void remove(const Stream& listener);

  /// The first address of a rank counts. `from` is not told.
  void publish(uint32_t rank, std::span<const std::byte> address, const Stream* from);
  /// Likewise the first end.
  void end(const End& end, const Stream* from);

 private:
  void tell(const Stream* from, FrameKind kind, uint32_t rank, std::span<const std::byte> bytes);

  OwnTable table_;
  uint32_t ended_ = 0;
  std::vector<Stream*> listeners_;
};

}  // namespace verbena::job
