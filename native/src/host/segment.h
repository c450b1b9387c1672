// SPDX-License-Identifier: Apache-2.0
//
// Memory of this process in files that other processes of this user can map, and how it takes
// pages of it back from those who cannot be waited for.
//
// Whoever shows peers a part of a segment is a SegmentUser: before pages are taken back each of
// them closes what it has shown of these pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "host/shared_file.h"

namespace verbena::host {

/// Where the segments of one owner lie: all of them have names that end with its incarnation, and
/// their numbers are never used again, so that a name means the same file for ever.
struct SegmentSpace {
  std::string folder;
  uint64_t incarnation = 0;

  /// seg-NUMBER-INCARNATION in the folder.
  std::string path(uint32_t number) const;

  friend bool operator==(const SegmentSpace&, const SegmentSpace&) = default;
};

/// Bytes [begin, end) of a segment; whole pages.
struct Extent {
  size_t begin;
  size_t end;

  bool overlaps(const Extent& other) const { return begin < other.end && other.begin < end; }
};

/// Any thread.
class Segment {
 public:
  /// Zeroed memory under a name of its own; its pages are taken now. Null and errno on failure.
  static std::shared_ptr<Segment> create(const SegmentSpace& space, uint32_t number, size_t bytes);
  /// Unmaps it, for this process.
  ~Segment() = default;
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  uint32_t number() const { return number_; }
  const SegmentSpace& space() const { return space_; }
  std::byte* start() const { return file_.as<std::byte>(); }
  size_t bytes() const { return file_.bytes(); }
  bool holds(const void* address, size_t length) const;
  /// The pages that a range of the segment's memory touches.
  Extent pagesOf(const void* address, size_t length) const;
  /// Whether peers that map the file see the memory of these pages, and will go on seeing it.
  bool isShared(Extent pages) const;
  /// Nobody finds it any more, and what it holds is nobody's: the pages go back to the system even
  /// if a peer still maps the file. Needs no memory.
  void remove() noexcept;

 private:
  friend class SegmentTable;

  Segment(SegmentSpace space, uint32_t number, std::string path, SharedFile file)
      : space_(std::move(space)), number_(number), path_(std::move(path)), file_(std::move(file)) {}
  /// From here on the pages are not shared, in the eyes of isShared(). The parts of them that were.
  std::vector<Extent> beginWithdrawal(Extent pages);
  /// Lets the process alone have these pages: what they hold stays, and so does what threads write
  /// to them meanwhile. Peers go on seeing the file's. False and errno on failure.
  bool takePages(int fd, Extent pages) const;
  /// Notes that they were taken; for which beginWithdrawal() has made room.
  void noteWithdrawn(Extent pages);
  void endWithdrawal();

  const SegmentSpace space_;
  const uint32_t number_;
  const std::string path_;
  SharedFile file_;
  mutable std::mutex lock_;              // guards the rest
  std::vector<Extent> withdrawn_;        // what is ours alone; disjoint and sorted
  std::optional<Extent> withdrawing_{};  // a thread is at it
};

/// Who shows peers parts of segments.
class SegmentUser {
 public:
  virtual ~SegmentUser() = default;
  /// Peers begin nothing in these pages any more; returns when all that they had begun is over, or
  /// they were left behind. May wait for a peer, in bounded time.
  virtual void closePages(const Segment& segment, Extent pages) = 0;
  /// The process has pages of its own in their place, or could not get them.
  virtual void pagesTaken(const Segment& /*segment*/, Extent /*pages*/) {}
};

/// The segments of this process, by address, and who uses them. Any thread.
class SegmentTable {
 public:
  static SegmentTable& ofProcess();

  void add(const std::shared_ptr<Segment>& segment);
  void remove(const Segment& segment);
  /// The one that holds all of a range, or null.
  std::shared_ptr<Segment> find(const void* address, size_t length) const;

  void join(SegmentUser& user);
  /// Waits for a withdrawal that is going on.
  void leave(SegmentUser& user);

  /// Gives the process pages of its own in place of these of the file: who still writes to the
  /// file's writes to what nothing reads. No lock that closePages() takes is held. Returns an
  /// errno: if it is not 0 there was no descriptor or memory for it, and it may be tried again.
  int withdraw(const std::shared_ptr<Segment>& segment, Extent pages);

 private:
  mutable std::mutex lock_;  // guards the segments
  std::map<uintptr_t, std::shared_ptr<Segment>> byAddress_;
  std::mutex withdrawals_;  // one at a time; guards the users
  std::vector<SegmentUser*> users_;
};

}  // namespace verbena::host
