// SPDX-License-Identifier: Apache-2.0
#include "outgoing.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "batch.h"

namespace verbena::ip {

using namespace std::chrono_literals;

namespace {

constexpr auto kOpening = 1s;                            // a node that does not answer is away then
constexpr std::chrono::milliseconds kFirstPause = 50ms;  // behind one that came to nothing
constexpr std::chrono::milliseconds kLongestPause = 1s;

}  // namespace

Outgoing::Outgoing(const Fabric& fabric, Peer& peer, uint32_t channel, uint32_t worker)
    : fabric_(fabric), peer_(peer), channel_(channel), worker_(worker), pause_(kFirstPause) {}

void Outgoing::open(Clock::time_point now) {
  if (state() != State::closed || now < next_) return;
  try {
    opening_.emplace(fabric_, peer_.node(), channel_, kOpening, kMostRing, worker_);
  } catch (const std::exception& failure) {
    lose(failure.what());
  }
}

bool Outgoing::proceed(bool asksForOpening) {
  if (opening_ && asksForOpening) {
    try {
      writer_ = opening_->attempt();
      if (!writer_) return false;
      opening_.reset();
      pause_ = kFirstPause;
      isSlow_ = false;
      return true;
    } catch (const std::exception& failure) {
      lose(failure.what());
    }
  } else if (isDue_) {  // of a writer, so that there is one
    nudge();
  }
  return false;
}

/// The device may take the rest later.
void Outgoing::nudge() {
  bool isDone = this->isDone(writer_->nudge());
  isDue_ = writer_.has_value() && !isDone;
}

void Outgoing::look() {
  if (writer_ && vbn_writer_way(writer_->get(), nullptr, 0) < 0) lose(writer_->lostBecause());
}

void Outgoing::lose(const std::string& reason) {
  lostBecause_ = reason;
  claimed_ = {};
  used_ = 0;
  isDue_ = false;
  opening_.reset();
  writer_.reset();
  next_ = Clock::now() + pause_;
  pause_ = std::min(pause_ * 2, kLongestPause);
}

bool Outgoing::isDone(Outcome outcome) {
  if (outcome == Outcome::lost || outcome == Outcome::ended) lose(writer_->lostBecause());
  return outcome == Outcome::done;
}

/// As much as a batch may have, or at least so much.
void Outgoing::claim(size_t most) {
  size_t batch = std::min<size_t>(writer_->mostInPlace(), kBatchBytes);
  Outcome claimed = writer_->claim(std::max(batch, most), claimed_);
  if (claimed == Outcome::wouldBlock) claimed = writer_->claim(most, claimed_);
  if (!isDone(claimed)) claimed_ = {};
}

std::span<std::byte> Outgoing::place(size_t most) {
  if (!writer_) return {};
  if (claimed_.size() - used_ < most) {
    publish();
    if (!writer_) return {};
    claim(most);
    if (claimed_.empty()) return {};
  }
  return claimed_.subspan(used_);
}

void Outgoing::publish() {
  size_t bytes = std::exchange(used_, 0);
  claimed_ = {};
  if (!writer_ || bytes == 0) return;
  counters_.batches.add();
  static_cast<void>(writer_->tryPublish(bytes));  // what it lacks the nudge hands over
  nudge();
}

bool Outgoing::say(std::span<const std::byte> word) {
  publish();
  if (!writer_) return false;
  claim(word.size());
  if (claimed_.empty()) return false;
  std::ranges::copy(word, claimed_.begin());
  used_ = word.size();
  publish();
  return writer_.has_value();
}

}  // namespace verbena::ip
