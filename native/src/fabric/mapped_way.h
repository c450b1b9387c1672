// SPDX-License-Identifier: Apache-2.0
//
// A link's way to a peer of the same host without the device: each side lends its regions
// (lending.h), and whoever posts an operation executes it by loads, stores and the processor's
// atomics before the call returns.
//
// Whatever is not granted goes by the device, so there is one place that judges wrong keys: the
// target's device. A key that is revoked does not get there: that is seen here. Which operations
// may go this way, for the order of a link, the link knows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "fabric/domain.h"
#include "fabric/request.h"
#include "host/borrower.h"

namespace verbena::fabric {

/// A place at which a far side may work on what we lend; told when a link is made.
struct Seat {
  static constexpr size_t kBytes = 12;

  uint64_t book = 0;  ///< 0: none
  host::DeskNumber desk{};

  /// Little-endian: book, place, life.
  void write(std::span<std::byte> into) const;
  static Seat read(std::span<const std::byte> from);
};

/// Belongs to whoever has the link's turn, but for shutOut() and isLeft().
class MappedWay {
 public:
  /// Of a piece this much lies between two looks at rights and at whether the link still lives.
  static constexpr uint64_t kPieceBytes = 256 * 1024;

  // --- the life of a link
  /// What the far side is told. `wanted`: false if it is switched off.
  Seat offer(const Domain& domain, bool wanted);
  /// What the far side has told.
  void accept(const Seat& far);
  /// The far side begins nothing here any more; does not wait for what it had begun. By the job
  /// thread, without the turn.
  void shutOut();
  /// Whether what the far side had begun here is over, or it was left behind. Behind shutOut() it
  /// takes a bounded time; end() waits for the rest of it. By who has the turn to poll.
  bool isLeft() const;
  void end();

  // --- operations
  /// Whether the way is there: else whyNot() says why.
  bool isOpen();
  const std::string& whyNot() const { return whyNot_; }
  /// Whether the key's owner has taken back what it had lent; for all that can be seen here.
  bool isRevoked(const RegionKey& key) {
    return key.lent && isOpen() && !borrower_->lists(key.rkey);
  }
  enum class Outcome : uint8_t {
    done,       ///< executed; a get or an atomic has its result
    elsewhere,  ///< to go by the device, as if nothing had been done
    begun,      ///< to go by the device, which judges the key; some bytes may have been moved
    unknown,    ///< an atomic, of which nobody knows whether it was executed: the target has taken
                ///< its memory away meanwhile, because this process was stopped
  };
  /// What check() has found good. Between pieces goesOn() is asked.
  template <typename GoesOn>
  Outcome execute(const Request& request, GoesOn goesOn);

 private:
  /// So long nobody asks whether the owner of what we work on lives.
  static constexpr uint64_t kLookNs = 5'000'000;

  Outcome executePiece(const Request& request, uint64_t from, uint64_t bytes);

  host::Lender* lender_ = nullptr;  // while the far side has a desk of it
  host::DeskNumber desk_{};
  std::optional<host::Borrower> borrower_;
  uint64_t lookedNs_ = 0;
  std::string whyNot_;
};

template <typename GoesOn>
MappedWay::Outcome MappedWay::execute(const Request& request, GoesOn goesOn) {
  if (request.length <= kPieceBytes) return executePiece(request, 0, request.length);
  for (uint64_t from = 0; from < request.length; from += kPieceBytes) {
    if (!goesOn()) return from == 0 ? Outcome::elsewhere : Outcome::begun;
    uint64_t bytes = std::min(request.length - from, kPieceBytes);
    Outcome outcome = executePiece(request, from, bytes);
    if (outcome != Outcome::done) return outcome;
  }
  return Outcome::done;
}

}  // namespace verbena::fabric
