// SPDX-License-Identifier: Apache-2.0
#include "fabric/mapped_way.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/clock.h"
#include "base/whole_words.h"
#include "base/wire.h"

namespace verbena::fabric {
namespace {

using base::getLittle;
using base::putLittle;

constexpr size_t kPlaceAt = 8;
constexpr size_t kLifeAt = 10;

/// What was there before.
template <typename Word>
Word executeAtomic(const Request& request, std::byte* target) {
  // Full ordering: the neighbours of an atomic on a link are ordered by its response.
  std::atomic_ref word(*reinterpret_cast<Word*>(target));
  auto operand = static_cast<Word>(request.operand);
  if (request.operation == Operation::fetchAdd) return word.fetch_add(operand);
  word.compare_exchange_strong(operand, static_cast<Word>(request.swap));
  return operand;
}

template <typename Word>
void bringAtomic(const Request& request, std::byte* target, std::byte* local) {
  Word before = executeAtomic<Word>(request, target);
  std::memcpy(local, &before, sizeof before);
}

}  // namespace

void Seat::write(std::span<std::byte> into) const {
  putLittle(into, 0, book);
  putLittle(into, kPlaceAt, desk.place);
  putLittle(into, kLifeAt, desk.life);
}

Seat Seat::read(std::span<const std::byte> from) {
  return {getLittle<uint64_t>(from, 0),
          {getLittle<uint16_t>(from, kPlaceAt), getLittle<uint16_t>(from, kLifeAt)}};
}

// ------------------------------------------------------------------ the life of a link

Seat MappedWay::offer(const Domain& domain, bool wanted) {
  end();  // of a life that ended before it had begun
  whyNot_ = "it is switched off here";
  if (!wanted) return {};
  host::Lender* lender = domain.lending().lender();
  whyNot_ = domain.lending().whyNot();
  if (lender == nullptr) return {};
  whyNot_ = "all " + std::to_string(host::kDesks) + " places for peers of this host are taken";
  std::optional<host::DeskNumber> desk = lender->openDesk();
  if (!desk) return {};
  whyNot_ = "the link is not up yet";
  lender_ = lender;
  desk_ = *desk;
  return {lender->name(), *desk};
}

void MappedWay::accept(const Seat& far) {
  if (lender_ == nullptr) return;
  if (far.book == 0) {
    whyNot_ = "the far side does not lend: it is switched off there, or cannot be";
    return;
  }
  borrower_ = host::Borrower::open(lender_->folder(), far.book, far.desk);
  if (borrower_) {
    lender_->seat(desk_, far.book);
    lookedNs_ = base::coarseNs();
  } else {
    int code = errno;
    whyNot_ = "what the far side lends cannot be opened in " + lender_->folder() + ": " +
              base::errorName(code) +
              (code == ENOENT ? "; it is on another host, or another user's" : "");
  }
}

void MappedWay::shutOut() {
  if (lender_ != nullptr) lender_->shutDesk(desk_);
}

bool MappedWay::isLeft() const {
  return lender_ == nullptr || lender_->isLeft(desk_);
}

void MappedWay::end() {
  borrower_.reset();
  if (lender_ == nullptr) return;
  lender_->closeDesk(desk_);  // of a link that never came up; else it is left
  std::exchange(lender_, nullptr)->giveUpDesk(desk_);
}

// ------------------------------------------------------------------ operations

/// What is written to the memory of a process that has just been killed is lost, and nobody can
/// tell from when on: so its life is looked at now and then.
bool MappedWay::isOpen() {
  if (!borrower_) return false;
  uint64_t now = base::coarseNs();
  if (now - lookedNs_ < kLookNs) return true;
  lookedNs_ = now;
  if (!borrower_->ownerGone()) return true;
  borrower_.reset();
  whyNot_ = "the far side's process has gone";
  return false;
}

MappedWay::Outcome MappedWay::executePiece(const Request& request, uint64_t from, uint64_t bytes) {
  host::LentPiece piece = borrower_->borrow({request.key.rkey, neededAccess(request.operation),
                                             request.key.address + request.offset + from, bytes});
  if (!piece) return from == 0 ? Outcome::elsewhere : Outcome::begun;
  std::byte* local = request.local->bytes().data() + request.localOffset + from;
  bool atomic = isAtomic(request.operation);
  if (atomic && bytes == sizeof(uint64_t)) {
    bringAtomic<uint64_t>(request, piece.memory(), local);
  } else if (atomic) {
    bringAtomic<uint32_t>(request, piece.memory(), local);
  } else if (request.operation == Operation::put) {
    base::copyWhole(piece.memory(), local, bytes);
  } else {
    base::copyWhole(local, piece.memory(), bytes);
  }
  if (piece.release()) return Outcome::done;
  return atomic ? Outcome::unknown : Outcome::begun;
}

}  // namespace verbena::fabric
