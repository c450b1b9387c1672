// SPDX-License-Identifier: Apache-2.0
#include "fifo/patterns/writers.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace verbena::fifo {

using std::chrono::nanoseconds;

Writers::Writers(std::vector<std::unique_ptr<Writer>> writers)
    : Members(writers), open_(writers.size()), to_(writers.size()) {
  for (auto& each : writers) all_.push_back({std::move(each)});
}

Outcome Writers::state() {
  if (closes_) return Outcome::ended;
  if (open_ > 0) return Outcome::done;
  to_ = size();
  return Outcome::lost;
}

Outcome Writers::lose(size_t index) {
  if (std::exchange(all_[index].isOpen, false)) open_--;
  if (open_ == 0) isUnderWay_ = false;
  to_ = index;
  return Outcome::lost;
}

void Writers::check(bool isBegun) const {
  if (isBegun == isUnderWay_) return;
  throw std::invalid_argument(isUnderWay_ ? "a message is written in part: push it to its end first"
                                          : "a message that was pushed to its end is pushed again");
}

Outcome Writers::pushTo(size_t index, Pushing& message) {
  Outcome got = (*this)[index].push(message);
  isUnderWay_ = got == Outcome::wouldBlock && message.begun;
  to_ = index;
  if (got != Outcome::lost) return got;
  message = {message.from};
  return lose(index);
}

// ------------------------------------------------------------------ to all

void Writers::begin(bool& isBegun) {
  check(isBegun);
  if (std::exchange(isBegun, true)) return;
  isUnderWay_ = true;
  for (Each& each : all_) {
    each.part = {};
    each.isDue = each.isOpen;
  }
}

/// Those behind one that is lost get theirs all the same.
void Writers::pushPart(size_t index, std::span<const std::byte> part) {
  Each& each = all_[index];
  each.part.from = part;
  Outcome got = each.writer->push(each.part);
  each.isDue = got == Outcome::wouldBlock;
  each.isLost = got == Outcome::lost;
}

Outcome Writers::outcomeOfAll() {
  auto lost = std::ranges::find_if(all_, &Each::isLost);
  if (lost != all_.end()) {
    lost->isLost = false;
    return lose(static_cast<size_t>(lost - all_.begin()));
  }
  if (std::ranges::any_of(all_, &Each::isDue)) return Outcome::wouldBlock;
  isUnderWay_ = false;
  to_ = size();
  return Outcome::done;
}

// ------------------------------------------------------------------ the end

Outcome Writers::close() {
  check(false);
  closes_ = true;
  Outcome all = Outcome::done;
  to_ = size();
  for (size_t i = 0; i < size(); i++) {
    if (!isOpen(i)) continue;
    Outcome one = closeOne(i);
    if (one == Outcome::lost) return one;
    if (one != Outcome::done) all = one;
  }
  return all;
}

Outcome Writers::closeOne(size_t index) {
  Outcome got = (*this)[index].close(nanoseconds::zero());
  if (got == Outcome::lost) return lose(index);
  if (got == Outcome::done && std::exchange(all_[index].isOpen, false)) open_--;
  return got;
}

Outcome Writers::close(nanoseconds timeout) {
  return channels().attempt({ends()}, timeout, [&] { return close(); });
}

}  // namespace verbena::fifo
