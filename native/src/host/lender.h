// SPDX-License-Identifier: Apache-2.0
//
// Lending memory to other processes of this host (loan_book.h), and taking it back, whatever they
// do meanwhile.
//
// A peer that lives is done with its piece in a moment; one that was killed does nothing any more.
// One that is stopped, or starved of its processor, goes on whenever it wakes: after kStragglerNs
// it loses its mark, so that it learns that its work does not count, and is left behind with the
// pages of the file when the memory is taken back: the process gets pages of its own in their
// place.
#pragma once

#include <atomic>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "host/loan_book.h"
#include "host/segment.h"
#include "host/shared_file.h"

namespace verbena::host {

/// So long a peer is waited for that is in the middle of something.
inline constexpr uint64_t kStragglerNs = 1'000'000'000;

/// Any thread.
class Lender final : SegmentUser {
 public:
  /// Names the folder instead of /dev/shm/verbena-memory-UID.
  static constexpr const char* kFolderVariable = "VERBENA_MEMORY_DIR";
  /// Where processes of one user find each other's books.
  static std::string defaultFolder();
  /// With an empty book under a random name. What processes that have died left in the folder is
  /// removed: it is for nothing else.
  static base::Result<std::unique_ptr<Lender>> open(const std::string& folder);
  /// Removes what processes that have died left in a folder, if it is there and this user's alone:
  /// for who opens none.
  static void removeLeftovers(const std::string& folder);
  /// Nothing is lent any more, and nobody sits at a desk.
  ~Lender() override;

  uint64_t name() const { return book().name; }
  const std::string& folder() const { return folder_; }
  /// Memory that can be lent; for who has no other. Null and errno on failure.
  std::shared_ptr<Segment> allocate(size_t bytes);

  // --- loans
  /// Lends memory under a key, which no other loan has. False if it cannot be: it is no memory of a
  /// segment, or not all of it is shared any more, or there is no place in the book.
  bool lend(uint32_t key, std::span<const std::byte> memory, uint8_t access);
  struct TakenBack {
    int code = 0;           ///< an errno
    bool replaced = false;  ///< somebody was left behind: the memory has other pages now
  };
  /// When this succeeds nobody reads or writes by the loan any more, though he wakes up later. If
  /// it fails the loan is over, but somebody may still be at work: call it again. What is not lent
  /// is back. One thread at a time for one key.
  TakenBack takeBack(uint32_t key);
  /// As takeBack(), of memory that is not used any more by anybody: it may go.
  void end(uint32_t key);

  // --- desks
  /// A place for one peer; nothing if all are taken.
  std::optional<DeskNumber> openDesk();
  /// Whose it is: the name of the peer's own book, which tells whether that one lives.
  void seat(DeskNumber desk, uint64_t guest);
  /// From here on its peer begins nothing. What it had begun may go on until isLeft().
  void shutDesk(DeskNumber desk);
  /// Whether what the peer had begun is over, or it was left behind: it is within the time that
  /// peers are waited for, counted from shutDesk(), for who asks again and again. Does not wait.
  bool isLeft(DeskNumber desk);
  /// Shuts it and waits until it is left.
  void closeDesk(DeskNumber desk);
  /// Of one that is left: the place is free for another one.
  void giveUpDesk(DeskNumber desk);

  /// How long peers are waited for from now on; for tests, which have no second to lose.
  void waitForStragglers(uint64_t ns) { stragglerNs_.store(ns, std::memory_order_relaxed); }

 private:
  struct Ours {
    uint32_t place;
    std::shared_ptr<Segment> segment;
    Extent pages;
    bool leftBehind = false;  ///< a peer may still be writing that nobody waits for any more
  };
  struct Place {
    uint16_t life = 0;
    bool taken = false;
    SharedFile guest{};
    uint64_t shutNs = 0;   ///< when; 0: it is open
    uint64_t askedNs = 0;  ///< when it was last seen whether the guest lives

    bool isOf(DeskNumber desk) const { return taken && life == desk.life; }
  };

  Lender(std::string folder, std::string path, SharedFile file)
      : folder_(std::move(folder)), path_(std::move(path)), file_(std::move(file)) {}
  void closePages(const Segment& segment, Extent pages) override;

  LoanBook& book() const { return *file_.as<LoanBook>(); }
  bool knows(const SegmentSpace& space);
  std::optional<uint32_t> freePlace(uint32_t key);
  bool backPage(uint32_t place);
  std::optional<uint32_t> clear(uint32_t key);
  void forget(uint32_t key);
  template <typename Matches>
  void awaitMarks(Matches matches);
  void awaitKey(uint32_t key);
  uint32_t desksUsed();
  bool dismiss(uint32_t desk, uint64_t mark, bool late, bool ask);

  const std::string folder_;
  const std::string path_;  // of the book
  SharedFile file_;
  std::atomic<uint64_t> stragglerNs_{kStragglerNs};
  std::mutex lock_;                // guards the rest, and what is written to the book
  std::map<uint32_t, Ours> ours_;  // by key
  std::bitset<kLoans> taken_;      // places of them
  std::vector<Place> desks_;
  std::vector<uint16_t> freeDesks_;
  uint32_t nextSegment_ = 1;
};

}  // namespace verbena::host
