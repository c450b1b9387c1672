// SPDX-License-Identifier: Apache-2.0
#include "fifo/patterns/all_gather.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "fifo/ring.h"

namespace verbena::fifo {

using std::chrono::nanoseconds;

AllGather::AllGather(size_t self, std::vector<std::unique_ptr<Writer>> writers,
                     std::vector<std::unique_ptr<Reader>> readers)
    : self_(self),
      broadcast_(std::move(writers)),
      gather_(std::move(readers)),
      others_(gather_.size()),
      told_(gather_.size()) {
  bool fit = broadcast_.size() == gather_.size() && self < size() &&
             &broadcast_.writer(0).channels() == &gather_.reader(0).channels();
  if (!fit) {
    throw std::invalid_argument("participant " + std::to_string(self) + " has " +
                                std::to_string(broadcast_.size()) + " writers and " +
                                std::to_string(gather_.size()) +
                                " readers: it needs one of each for each of the others");
  }
}

Outcome AllGather::exchange(Pushing& own, std::span<Popping> all) {
  if (all.size() != size()) {
    throw std::invalid_argument("gather from " + std::to_string(size()) + " participants into " +
                                std::to_string(all.size()) + " places: give each of them one");
  }
  if (isGiven_ && !own.begun) {
    throw std::invalid_argument("another message was given in this round: go on with that");
  }
  if (own.from.size() > all[self_].into.size()) return about(self_, Outcome::tooLarge);
  Outcome given = isGiven_ ? Outcome::done : give(own);
  if (given == Outcome::lost || given == Outcome::ended) return given;
  Outcome taken = isTaken_ ? Outcome::done : take(all);
  if (taken == Outcome::lost || taken == Outcome::tooLarge) return taken;
  if (!isGiven_ || taken == Outcome::wouldBlock) return Outcome::wouldBlock;
  isGiven_ = isTaken_ = false;
  copyBytes(own.from, all[self_].into.data());
  all[self_].bytes = own.from.size();
  return taken;
}

Outcome AllGather::exchange(Pushing& own, std::span<Popping> all, nanoseconds timeout) {
  return broadcast_.writer(0).channels().attempt({broadcast_.ends(), gather_.ends()}, timeout,
                                                 [&] { return exchange(own, all); });
}

/// Where nobody is left, nothing is left to give.
Outcome AllGather::give(Pushing& own) {
  for (;;) {
    Outcome said = broadcast_.push(own);
    size_t place = broadcast_.to();
    bool isOver = said == Outcome::done || (said == Outcome::lost && place == broadcast_.size());
    if (isOver) {
      isGiven_ = true;
      own.begun = true;
      return Outcome::done;
    }
    if (said != Outcome::lost) return said;
    if (gather_.isOpen(place) && isNews(place)) return about(participantAt(place), said);
  }
}

Outcome AllGather::take(std::span<Popping> all) {
  for (size_t i = 0; i < others_.size(); i++) others_[i].into = all[participantAt(i)].into;
  for (;;) {
    Outcome said = gather_.pop(others_);
    if (said == Outcome::lost && !isNews(gather_.from())) continue;
    for (size_t i = 0; i < others_.size(); i++) all[participantAt(i)].bytes = others_[i].bytes;
    isTaken_ = said == Outcome::done;
    return about(participantAt(gather_.from()), said);
  }
}

/// Both ways to a participant are lost, one after the other, and it is told once.
bool AllGather::isNews(size_t place) {
  bool isNews = !told_[place];
  told_[place] = true;
  return isNews;
}

Outcome AllGather::about(size_t participant, Outcome said) {
  from_ = participant;
  return said;
}

std::string AllGather::lostBecause(size_t participant) {
  if (participant == self_) return "";
  size_t place = placeOf(participant);
  std::string reason = gather_.reader(place).lostBecause();
  return reason.empty() ? broadcast_.writer(place).lostBecause() : reason;
}

// ------------------------------------------------------------------ the end

Outcome AllGather::close(nanoseconds timeout) {
  return broadcast_.writer(0).channels().attempt({broadcast_.ends(), gather_.ends()}, timeout,
                                                 [&] { return finish(); });
}

/// One that has ended its stream, and has got this one's end, may have gone meanwhile: only those
/// whose stream did not end are lost.
Outcome AllGather::finish() {
  Outcome closed = Outcome::lost;
  while (closed == Outcome::lost) closed = broadcast_.close(nanoseconds::zero());
  for (;;) {
    Outcome said = gather_.drop();
    if (said == Outcome::lost && !isNews(gather_.from())) continue;
    if (said == Outcome::lost) return about(participantAt(gather_.from()), said);
    return said == Outcome::ended ? closed : said;
  }
}

}  // namespace verbena::fifo
