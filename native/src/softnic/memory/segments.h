// SPDX-License-Identifier: Apache-2.0
//
// Memory that peers of this host can map: the device's own allocator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "host/shared_file.h"
#include "softnic/memory/folder.h"

namespace verbena::softnic {

/// Bytes [begin, end) of a segment; whole pages.
struct Extent {
  size_t begin;
  size_t end;
};

struct Segment {
  uint32_t id;  // from 1
  host::SharedFile file;
  std::string path;
  /// What is ours alone: peers' mappings of the file show other pages there. Disjoint and sorted.
  std::vector<Extent> withdrawn;
  std::optional<Extent> withdrawing;  // a thread is at it, without the context's lock

  std::byte* start() const { return file.as<std::byte>(); }
  /// The pages that a range of the segment's memory touches.
  Extent pagesOf(const void* address, size_t length) const;
  /// Whether peers that map the file see the memory of these pages, and will go on seeing it.
  bool isShared(Extent pages) const;
  /// The parts of `pages` that are still shared.
  std::vector<Extent> sharedParts(Extent pages) const;
  /// Lets the process alone have these pages, which are still shared: what they hold stays, and so
  /// does what threads write to them meanwhile. Peers go on seeing the file's. False and errno on
  /// failure. Without the context's lock: it copies.
  bool takePages(int fd, Extent pages) const;
  /// Notes that they were taken. Needs no memory after reserve() of one more.
  void noteWithdrawn(Extent pages);
};

/// All calls under the context's lock.
class Segments {
 public:
  /// The segment that holds all of a range, or null.
  Segment* find(const void* address, size_t length);
  const Segment* find(const void* address, size_t length) const;
  /// Null and errno on failure.
  void* allocate(const Folder& folder, uint64_t incarnation, size_t bytes);
  /// Whether a thread is at withdrawing pages of the segment.
  bool isWithdrawing(void* memory) const;
  /// False if there is no such segment.
  bool free(void* memory);
  void freeAll();

 private:
  std::map<uintptr_t, Segment> byAddress_;
  uint32_t nextId_ = 1;
};

}  // namespace verbena::softnic
