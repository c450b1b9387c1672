// SPDX-License-Identifier: Apache-2.0
#include "host/borrower.h"

#include <cerrno>
#include <cstring>

#include "host/segment.h"

namespace verbena::host {

std::optional<Borrower> Borrower::open(const std::string& folder, uint64_t name, DeskNumber desk) {
  SharedFile file = SharedFile::open(loanBookPath(folder, name), sizeof(LoanBook));
  if (!file) return std::nullopt;
  Borrower borrower(std::move(file), desk);
  const LoanBook& book = borrower.book();
  bool good = book.magic == kLoanBookMagic && book.name == name && desk.place < kDesks;
  if (good && desk.life != 0 && !borrower.ownerGone()) return borrower;
  errno = good ? EOWNERDEAD : EPROTO;
  return std::nullopt;
}

LentPiece Borrower::borrow(const Wish& wish) {
  std::optional<uint32_t> place = find(wish.key);
  if (!place) return {};
  Desk& desk = book().desks[desk_.place];
  uint64_t mark = packMark(desk_.life, *place, wish.key);
  uint64_t nobody = 0;
  // seq_cst pairs with the owner's taking out of desks and loans before it looks for marks: either
  // it sees that we are at work, or we see below that it has
  if (!desk.mark.compare_exchange_strong(nobody, mark, std::memory_order_seq_cst)) return {};
  LentPiece piece(desk.mark, mark);
  if (desk.open.load(std::memory_order_seq_cst) != desk_.life) return {};
  std::byte* memory = locate(book().loans[*place], wish);
  // All that was read belongs to the loan if the mark has stood until now: acquire, with which it
  // was read, keeps this look behind.
  if (memory != nullptr && piece.stands()) piece.memory_ = memory;
  return piece;
}

/// Where the loan of this key is, if it is. Without a mark that is a guess.
std::optional<uint32_t> Borrower::find(uint32_t key) const {
  // acquire pairs with Lender::backPage(): what has a bit can be read
  uint64_t pages = book().loanPages.load(std::memory_order_acquire);
  for (uint32_t probe = 0; probe < kLoanProbes; probe++) {
    uint32_t place = placeOf(key, probe);
    if ((pages >> (place / kLoansPerPage) & 1) == 0) continue;
    uint64_t word = book().loans[place].keyAndAccess.load(std::memory_order_relaxed);
    if (word != 0 && static_cast<uint32_t>(word) == key) return place;
  }
  return std::nullopt;
}

/// Where the wish is in our memory, or null if the loan does not grant it.
std::byte* Borrower::locate(const Loan& loan, const Wish& wish) {
  uint64_t word = loan.keyAndAccess.load(std::memory_order_seq_cst);  // behind the mark
  if (word == 0 || static_cast<uint32_t>(word) != wish.key) return nullptr;
  if ((static_cast<uint32_t>(word >> 32) & wish.access) != wish.access) return nullptr;
  uint64_t length = loan.lengthBytes.load(std::memory_order_acquire);
  uint64_t within = wish.address - loan.address.load(std::memory_order_acquire);
  if (within > length || wish.lengthBytes > length - within) return nullptr;
  uint64_t start = loan.offset.load(std::memory_order_acquire);
  const SharedFile* file = map(loan.segment.load(std::memory_order_seq_cst));  // likewise
  if (file == nullptr) return nullptr;
  // The owner's numbers are only as good as its word: the file has the last one.
  uint64_t bytes = file->bytes();
  if (start > bytes || within > bytes - start) return nullptr;
  if (wish.lengthBytes > bytes - start - within) return nullptr;
  return file->as<std::byte>() + start + within;
}

const SharedFile* Borrower::map(uint32_t segment) {
  if (segment == 0) return nullptr;
  for (const Mapped& mapped : mapped_) {
    if (mapped.segment == segment) return &mapped.file;
  }
  std::erase_if(mapped_, [](const Mapped& mapped) { return mapped.file.removed(); });
  const LoanBook& shown = book();
  std::string folder(shown.segmentsFolder,
                     strnlen(shown.segmentsFolder, sizeof shown.segmentsFolder));
  SegmentSpace space{folder, shown.segmentsIncarnation};
  SharedFile file = SharedFile::open(space.path(segment), 1);
  if (!file) return nullptr;
  mapped_.push_back({segment, std::move(file)});
  return &mapped_.back().file;
}

}  // namespace verbena::host
