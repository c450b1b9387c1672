// SPDX-License-Identifier: Apache-2.0
#include "host/lender.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/clock.h"
#include "base/descriptor.h"
#include "base/random_number.h"
#include "host/pace.h"
#include "host/private_folder.h"

namespace verbena::host {
namespace {

using base::Error;
using base::Result;

constexpr const char* kBook = "book-";
/// Between two questions to the kernel whether a guest lives.
constexpr uint64_t kAskAgainNs = 1'000'000;

std::string hex(uint64_t number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

/// Removes the books of owners that have gone, and segments that belong to no book: their names end
/// with that of their owner's. Under the folder's lock.
void sweep(const std::string& folder) {
  std::vector<std::string> names = namesIn(folder);
  std::vector<std::string> living;
  for (const std::string& name : names) {
    if (!isOfForm(name, "book-$")) continue;
    std::string path = folder + "/" + name;
    if (isOrphan(path)) {
      unlink(path.c_str());
    } else {
      living.push_back(name.substr(std::strlen(kBook)));
    }
  }
  for (const std::string& name : names) {
    bool owned = std::ranges::any_of(living, [&](auto& owner) { return name.ends_with(owner); });
    if (isOfForm(name, "seg-#-$") && !owned) unlink((folder + "/" + name).c_str());
  }
}

}  // namespace

std::string loanBookPath(const std::string& folder, uint64_t name) {
  return folder + "/" + kBook + hex(name);
}

std::string Lender::defaultFolder() {
  const char* chosen = std::getenv(kFolderVariable);
  return chosen != nullptr && *chosen != 0 ? chosen
                                           : "/dev/shm/verbena-memory-" + std::to_string(geteuid());
}

Result<std::unique_ptr<Lender>> Lender::open(const std::string& folder) {
  auto failed = [&](const char* what) {
    std::string why = errno == EPERM ? "it belongs to somebody else, or others may look into it"
                                     : whyNotLocked(folder);
    if (why.empty()) why = "it lies where this user has to be able to write";
    return Error{what, folder, errno, why + "; " + kFolderVariable + " names another one"};
  };
  if (!makePrivateFolder(folder)) return failed("make the folder for lent memory");
  FolderLock lock(folder);
  if (!lock) return failed("lock the folder for lent memory");
  sweep(folder);
  uint64_t name = base::randomNumber();
  std::string path = loanBookPath(folder, name);
  SharedFile file = SharedFile::create(path, sizeof(LoanBook), false);
  if (!file) return failed("make a book of lent memory");
  std::unique_ptr<Lender> lender(new Lender(folder, path, std::move(file)));
  // Under its name nobody looks for it before its owner has told it.
  if (!lender->file_.lockForLife() || !lender->file_.back(0, offsetof(LoanBook, desks))) {
    Error why = failed("make a book of lent memory");
    unlink(path.c_str());
    return why;
  }
  lender->book().name = name;
  lender->book().magic = kLoanBookMagic;
  SegmentTable::ofProcess().join(*lender);
  return lender;
}

void Lender::removeLeftovers(const std::string& folder) {
  if (!isOurFolder(folder)) return;
  FolderLock lock(folder);
  if (lock) sweep(folder);
}

Lender::~Lender() {
  SegmentTable::ofProcess().leave(*this);
  unlink(path_.c_str());
}

std::shared_ptr<Segment> Lender::allocate(size_t bytes) {
  uint32_t number = 0;
  {
    std::lock_guard guard(lock_);
    number = nextSegment_++;
  }
  return Segment::create({folder_, name()}, number, bytes);
}

// ------------------------------------------------------------------ loans

bool Lender::lend(uint32_t key, std::span<const std::byte> memory, uint8_t access) {
  std::shared_ptr<Segment> segment = SegmentTable::ofProcess().find(memory.data(), memory.size());
  if (segment == nullptr || key == 0 || access == 0) return false;
  Extent pages = segment->pagesOf(memory.data(), memory.size());
  std::lock_guard guard(lock_);
  // What is withdrawn from now on closePages() closes, which comes for the lock.
  if (!knows(segment->space()) || !segment->isShared(pages)) return false;
  std::optional<uint32_t> place = freePlace(key);
  if (!place || !ours_.try_emplace(key, Ours{*place, segment, pages}).second) return false;
  taken_.set(*place);
  Loan& loan = book().loans[*place];
  auto offset = static_cast<uint64_t>(memory.data() - segment->start());
  loan.address.store(reinterpret_cast<uintptr_t>(memory.data()), std::memory_order_relaxed);
  loan.lengthBytes.store(memory.size(), std::memory_order_relaxed);
  loan.offset.store(offset, std::memory_order_relaxed);
  loan.segment.store(segment->number(), std::memory_order_relaxed);
  // release pairs with the look at the key in Borrower::locate(): the fields belong to it
  loan.keyAndAccess.store(uint64_t{access} << 32 | key, std::memory_order_release);
  return true;
}

/// All segments of a book lie in one space: that of the first.
bool Lender::knows(const SegmentSpace& space) {
  LoanBook& shown = book();
  if (shown.segmentsFolder[0] == 0) {
    if (space.folder.size() >= sizeof shown.segmentsFolder) return false;
    shown.segmentsIncarnation = space.incarnation;
    std::memcpy(shown.segmentsFolder, space.folder.data(), space.folder.size());
  }
  return space == SegmentSpace{shown.segmentsFolder, shown.segmentsIncarnation};
}

std::optional<uint32_t> Lender::freePlace(uint32_t key) {
  for (uint32_t probe = 0; probe < kLoanProbes; probe++) {
    uint32_t place = placeOf(key, probe);
    // One that was taken out and not given up yet has its marks still to be waited for.
    if (!taken_[place] && backPage(place)) return place;
  }
  return std::nullopt;
}

bool Lender::backPage(uint32_t place) {
  uint32_t page = place / kLoansPerPage;
  uint64_t pages = book().loanPages.load(std::memory_order_relaxed);
  if ((pages >> page & 1) != 0) return true;
  if (!file_.back(offsetof(LoanBook, loans) + page * 4096, 4096)) return false;
  book().loanPages.store(pages | uint64_t{1} << page,
                         std::memory_order_release);  // pairs with Borrower::find()
  return true;
}

Lender::TakenBack Lender::takeBack(uint32_t key) {
  if (!clear(key)) return {};
  awaitKey(key);
  std::shared_ptr<Segment> segment;
  Extent pages{};
  {
    std::lock_guard guard(lock_);
    const Ours& ours = ours_.at(key);
    if (ours.leftBehind) segment = ours.segment;
    pages = ours.pages;
  }
  try {
    int code = segment == nullptr ? 0 : SegmentTable::ofProcess().withdraw(segment, pages);
    if (code != 0) return {code};
  } catch (const std::bad_alloc&) {
    return {ENOMEM};
  }
  forget(key);
  return {0, segment != nullptr};
}

void Lender::end(uint32_t key) {
  if (!clear(key)) return;
  awaitKey(key);
  forget(key);
}

/// Its place is free for another loan.
void Lender::forget(uint32_t key) {
  std::lock_guard guard(lock_);
  auto found = ours_.find(key);
  taken_.reset(found->second.place);
  ours_.erase(found);
}

/// Nobody begins anything with the key any more. The place of the loan; nothing if there is none.
std::optional<uint32_t> Lender::clear(uint32_t key) {
  std::lock_guard guard(lock_);
  auto found = ours_.find(key);
  if (found == ours_.end()) return std::nullopt;
  // seq_cst pairs with the mark in Borrower::borrow()
  book().loans[found->second.place].keyAndAccess.store(0, std::memory_order_seq_cst);
  return found->second.place;
}

void Lender::closePages(const Segment& segment, Extent pages) {
  auto reaches = [&](const Ours& ours) {
    return ours.segment.get() == &segment && ours.pages.overlaps(pages);
  };
  {
    std::lock_guard guard(lock_);
    for (auto& [key, ours] : ours_) {
      // seq_cst as in clear(), for the look at the segment
      if (reaches(ours)) book().loans[ours.place].segment.store(0, std::memory_order_seq_cst);
    }
  }
  awaitMarks([&](uint64_t mark) {
    std::lock_guard guard(lock_);
    auto found = ours_.find(keyOfMark(mark));
    return found != ours_.end() && reaches(found->second);
  });
}

// ------------------------------------------------------------------ marks

void Lender::awaitKey(uint32_t key) {
  awaitMarks([&](uint64_t mark) { return keyOfMark(mark) == key; });
}

/// Waits for the marks that match, on whichever desk. Without the lock.
template <typename Matches>
void Lender::awaitMarks(Matches matches) {
  Pace pace;
  uint64_t start = base::monotonicNs();
  uint64_t patience = stragglerNs_.load(std::memory_order_relaxed);
  for (bool waits = true; waits;) {
    bool late = base::monotonicNs() - start >= patience;
    waits = false;
    for (uint32_t desk = 0, end = desksUsed(); desk < end; desk++) {
      // seq_cst pairs with the mark in Borrower::borrow(), acquire with LentPiece::release()
      uint64_t mark = book().desks[desk].mark.load(std::memory_order_seq_cst);
      if (mark != 0 && matches(mark)) waits |= !dismiss(desk, mark, late, pace.rested());
    }
    if (waits) pace.rest();
  }
}

/// Takes a mark from who has ended or has stayed too long. False if neither.
bool Lender::dismiss(uint32_t desk, uint64_t mark, bool late, bool ask) {
  std::lock_guard guard(lock_);
  const SharedFile& guest = desks_[desk].guest;
  bool ended = ask && guest && guest.ownerGone();
  if (!ended && !late) return false;
  // acquire pairs with the release in LentPiece::release(), which may just have come
  bool taken = book().desks[desk].mark.compare_exchange_strong(mark, 0, std::memory_order_acq_rel);
  if (!taken || ended) return true;
  auto found = ours_.find(keyOfMark(mark));
  if (found != ours_.end()) found->second.leftBehind = true;
  return true;
}

// ------------------------------------------------------------------ desks

uint32_t Lender::desksUsed() {
  std::lock_guard guard(lock_);
  return static_cast<uint32_t>(desks_.size());
}

std::optional<DeskNumber> Lender::openDesk() {
  std::lock_guard guard(lock_);
  if (freeDesks_.empty()) {
    auto next = static_cast<uint16_t>(desks_.size());
    if (next == kDesks ||
        !file_.back(offsetof(LoanBook, desks) + next * sizeof(Desk), sizeof(Desk))) {
      return std::nullopt;
    }
    freeDesks_.reserve(desks_.size() + 1);  // giving one back never fails
    desks_.emplace_back();
    freeDesks_.push_back(next);
  }
  uint16_t place = freeDesks_.back();
  freeDesks_.pop_back();
  Place& taken = desks_[place];
  taken.taken = true;
  taken.shutNs = 0;
  if (++taken.life == 0) taken.life = 1;
  // A mark of a former peer that was left behind is gone: closeDesk() has seen to that.
  book().desks[place].open.store(taken.life, std::memory_order_seq_cst);
  return DeskNumber{place, taken.life};
}

void Lender::seat(DeskNumber desk, uint64_t guest) {
  SharedFile book = SharedFile::open(loanBookPath(folder_, guest), 1);
  std::lock_guard guard(lock_);
  Place& place = desks_[desk.place];
  if (place.isOf(desk)) place.guest = std::move(book);
}

void Lender::shutDesk(DeskNumber desk) {
  std::lock_guard guard(lock_);
  Place& place = desks_[desk.place];
  if (!place.isOf(desk) || place.shutNs != 0) return;
  place.shutNs = base::monotonicNs();
  // seq_cst pairs with the mark in Borrower::borrow()
  book().desks[desk.place].open.store(0, std::memory_order_seq_cst);
}

bool Lender::isLeft(DeskNumber desk) {
  // seq_cst pairs with the mark in Borrower::borrow(), acquire with LentPiece::release()
  uint64_t mark = book().desks[desk.place].mark.load(std::memory_order_seq_cst);
  if (mark == 0) return true;
  std::unique_lock guard(lock_);
  Place& place = desks_[desk.place];
  if (!place.isOf(desk)) return true;
  uint64_t now = base::monotonicNs();
  bool late = now - place.shutNs >= stragglerNs_.load(std::memory_order_relaxed);
  bool ask = now - place.askedNs >= kAskAgainNs;
  if (ask) place.askedNs = now;
  guard.unlock();
  return dismiss(desk.place, mark, late, ask);
}

void Lender::closeDesk(DeskNumber desk) {
  shutDesk(desk);
  for (Pace pace; !isLeft(desk);) pace.rest();
}

void Lender::giveUpDesk(DeskNumber desk) {
  std::lock_guard guard(lock_);
  Place& place = desks_[desk.place];
  if (!place.isOf(desk)) return;
  place.taken = false;
  place.guest = SharedFile();
  freeDesks_.push_back(desk.place);
}

}  // namespace verbena::host
