// SPDX-License-Identifier: Apache-2.0
//
// Working on memory that another process of this host lends (loan_book.h), without its doing.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/loan_book.h"
#include "host/shared_file.h"

namespace verbena::host {

/// The right to touch a piece of lent memory, held as long as this object lives. The owner waits
/// for it when it takes the memory back, but not for ever: see release().
class LentPiece {
 public:
  LentPiece() = default;
  LentPiece(LentPiece&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)),
        place_(std::exchange(other.place_, nullptr)),
        mark_(other.mark_) {}
  LentPiece& operator=(LentPiece&&) = delete;
  ~LentPiece() { release(); }

  /// Gives the right back. False if the owner has taken it away, because we stayed too long: it may
  /// have other pages in that place by now, so nobody knows what was written, or whether what was
  /// read is what it holds.
  bool release() {
    if (place_ == nullptr) return false;
    uint64_t own = mark_;
    // release pairs with the acquire in Lender::awaitMarks(): the work is over before the mark goes
    return std::exchange(place_, nullptr)
        ->compare_exchange_strong(own, 0, std::memory_order_release, std::memory_order_relaxed);
  }

  explicit operator bool() const { return memory_ != nullptr; }
  std::byte* memory() const { return memory_; }

 private:
  friend class Borrower;
  LentPiece(std::atomic<uint64_t>& place, uint64_t mark) : place_(&place), mark_(mark) {}
  bool stands() const { return place_->load(std::memory_order_relaxed) == mark_; }

  std::byte* memory_ = nullptr;
  std::atomic<uint64_t>* place_ = nullptr;  // of the mark; null: the right is given back
  uint64_t mark_ = 0;
};

/// One peer's use of another process's book. One thread at a time.
class Borrower {
 public:
  /// The book of this name, to be worked with from a desk of it. Nothing and errno if its owner is
  /// not a process of this host and user that shows its folder here, or lives no more.
  static std::optional<Borrower> open(const std::string& folder, uint64_t name, DeskNumber desk);

  struct Wish {
    uint32_t key;
    uint8_t access;  ///< of LoanAccess
    uint64_t address;
    uint64_t lengthBytes;
  };
  /// Empty if the wish is not to be granted: no such loan, not so, not there, not any more.
  LentPiece borrow(const Wish& wish);
  /// Whether there is a loan of this key now.
  bool lists(uint32_t key) const { return find(key).has_value(); }
  /// Whether no thread of the owner's process runs any more; two system calls.
  bool ownerGone() const { return file_.ownerGone(); }

 private:
  struct Mapped {
    uint32_t segment;
    SharedFile file;
  };
  Borrower(SharedFile file, DeskNumber desk) : file_(std::move(file)), desk_(desk) {}

  LoanBook& book() const { return *file_.as<LoanBook>(); }
  std::optional<uint32_t> find(uint32_t key) const;
  std::byte* locate(const Loan& loan, const Wish& wish);
  const SharedFile* map(uint32_t segment);

  SharedFile file_;
  DeskNumber desk_;
  std::vector<Mapped> mapped_;
};

}  // namespace verbena::host
