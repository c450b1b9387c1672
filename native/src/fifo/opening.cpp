// SPDX-License-Identifier: Apache-2.0
#include "fifo/opening.h"

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "fifo/openings.h"

namespace verbena::fifo {
namespace {

using base::Error;
using base::Result;
using std::chrono::milliseconds;
using Opened = Result<std::unique_ptr<Writer>>;

constexpr milliseconds kLook{1};
constexpr milliseconds kLongestPause{64};

}  // namespace

Opening::Opening(Channels& all, connect::NodeId reader, uint16_t number,
                 std::chrono::nanoseconds timeout)
    : all_(all),
      reader_(reader),
      name_(all.nameOf(reader, all.options_.owner.node, number)),
      deadline_(Channels::deadlineOf(timeout)),
      writer_(new Writer(all, reader, number)) {}

Opening::~Opening() {
  if (!isOver_) leave();
}

/// Nobody waits for the link any more.
void Opening::leave() {
  std::lock_guard guard(all_.openings_->lock);
  std::erase_if(all_.openings_->writers, [&](auto& each) { return each.second == writer_.get(); });
}

Opened Opening::await() {
  for (;;) {
    if (auto opened = step(kLook)) return std::move(*opened);
  }
}

std::optional<Opened> Opening::step(std::chrono::nanoseconds most) {
  if (isOver_) throw std::logic_error("the opening of a writer has come to its end: free it");
  std::optional<Result<void>> linked = link(most);
  if (!linked) return std::nullopt;
  isOver_ = true;
  leave();
  dial_.reset();
  Result<void> begun = *linked ? writer_->begin() : *linked;
  if (!begun) return begun.error();
  return std::move(writer_);
}

std::optional<Result<void>> Opening::link(std::chrono::nanoseconds most) {
  auto now = Channels::Clock::now();
  if (now < next_) {
    std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(most, next_ - now));
    if (Channels::Clock::now() < next_) return std::nullopt;
  }
  connect::Manager& manager = all_.node_.manager();
  // A writer that has gone may have left a link that is just ending, by rounds of its worker. A
  // thread that does not wait makes rounds of its other workers elsewhere.
  most == most.zero() ? static_cast<void>(all_.drive()) : all_.driveAll();
  if (!dial_) {
    if (connect::LinkId former = manager.find(reader_, name_)) {
      if (formerIsUsed(former) || now >= deadline_) return inUse();
      next_ = now + kLook;
      return std::nullopt;
    }
    dial_.emplace(manager, reader_, name_, deadline_ - now);
  }
  auto linked = dial_->outcome(most);
  if (!linked && Channels::Clock::now() < deadline_) return std::nullopt;
  if (!linked) return refused_.value_or(dial_->tooLate());
  if (!*linked) return afterRefusal(linked->error());
  return Result<void>();
}

/// The reader may not be there yet: then the dial is refused, and tried again.
std::optional<Result<void>> Opening::afterRefusal(const Error& refusal) {
  dial_.reset();
  bool isRefused = refusal.code == ECONNREFUSED;
  if (isRefused) refused_ = refusal;
  next_ = Channels::Clock::now() + pause_;
  if (next_ >= deadline_) return refused_.value_or(refusal);
  if (!isRefused) return refusal;
  pause_ = std::min(pause_ * 2, kLongestPause);
  return std::nullopt;
}

bool Opening::formerIsUsed(connect::LinkId former) const {
  return std::ranges::any_of(all_.openings_->faces,
                             [&](const Channels* each) { return each->isUsed(former); });
}

Error Opening::inUse() const {
  return {"write to " + nameOf(writer_->number()), "", EADDRINUSE,
          "this node writes to it already: use that writer, or free it first"};
}

}  // namespace verbena::fifo
