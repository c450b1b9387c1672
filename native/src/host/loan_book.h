// SPDX-License-Identifier: Apache-2.0
//
// What a process shows others of its host of the memory that it lends: the layout of the file
// "book-NAME". Its owner writes it; a peer reads it, and writes the mark of its own desk.
//
//   loan   memory of the owner's that peers may work on, under a key
//   desk   of one peer: whether it may work at all, and the mark that it is at work right now
//
// Whoever works on a loan sets the mark first and looks afterwards whether the loan is (still)
// there; the owner takes the loan out first and looks for marks afterwards. All four are
// sequentially consistent, so either the peer sees that there is no loan, or the owner sees that
// the peer is at work, and waits.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace verbena::host {

inline constexpr uint64_t kLoanBookMagic = 0x314e'414f'4c4e'4256;  // "VBNLOAN1"
inline constexpr uint32_t kDesks = 1024;
inline constexpr uint32_t kLoans = 4096;
inline constexpr uint32_t kLoansPerPage = 64;
/// Where a loan may lie: at the first free one of so many places from placeOf() its key on.
/// A quarter of the places or so is still free when the first loan finds none.
inline constexpr uint32_t kLoanProbes = 64;

/// What peers may do with a loan; they add up.
enum LoanAccess : uint8_t { kMayRead = 1, kMayWrite = 2, kMayDoAtomics = 4 };

/// A desk as its peer is told of it. Desks are used again and again; each use has its life.
struct DeskNumber {
  uint16_t place = 0;
  uint16_t life = 0;  ///< 0: none

  friend bool operator==(const DeskNumber&, const DeskNumber&) = default;
};

struct alignas(64) Desk {
  std::atomic<uint64_t> open;  ///< the life of the peer that may work; 0: none may
  std::atomic<uint64_t> mark;  ///< packMark() of what the peer is at, else 0. The owner takes it
                               ///< from who stays too long
};

/// The fields belong to the key that is found behind setting a mark, as long as the mark stands.
struct alignas(64) Loan {
  std::atomic<uint64_t> keyAndAccess;  ///< key in the low half, access in the high; 0: none
  std::atomic<uint64_t> address;       ///< as the owner's process has it
  std::atomic<uint64_t> lengthBytes;
  std::atomic<uint64_t> offset;   ///< in the segment
  std::atomic<uint32_t> segment;  ///< its number; 0: not to be mapped any more
};

struct LoanBook {
  uint64_t magic;  ///< written last, before the file gets its name
  uint64_t name;
  /// Where the segments lie (SegmentSpace); in place before the first loan.
  uint64_t segmentsIncarnation;
  char segmentsFolder[512];
  /// A bit for each page of `loans` that has memory behind it.
  alignas(64) std::atomic<uint64_t> loanPages;
  alignas(4096) Desk desks[kDesks];
  alignas(4096) Loan loans[kLoans];
};
static_assert(kLoans / kLoansPerPage == 64 && kLoansPerPage * sizeof(Loan) == 4096);
static_assert(std::atomic<uint64_t>::is_always_lock_free);

/// book-NAME in the folder.
std::string loanBookPath(const std::string& folder, uint64_t name);

/// Spreads keys over the places: devices count them up in one part or another of theirs.
constexpr uint32_t placeOf(uint32_t key, uint32_t probe) {
  return static_cast<uint32_t>(((key * 0x9e37'79b9'7f4a'7c15U) >> 40) + probe) % kLoans;
}

/// No other desk's peer, nor the same desk's in another life, has the same mark: nobody takes away
/// another one's.
constexpr uint64_t packMark(uint16_t life, uint32_t place, uint32_t key) {
  return uint64_t{life} << 48 | uint64_t{place} << 32 | key;
}
constexpr uint32_t keyOfMark(uint64_t mark) {
  return static_cast<uint32_t>(mark);
}
constexpr uint32_t placeOfMark(uint64_t mark) {
  return static_cast<uint32_t>(mark >> 32) & 0xffff;
}

}  // namespace verbena::host
