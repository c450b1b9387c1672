// SPDX-License-Identifier: Apache-2.0
#include "fifo/writer.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "base/wire.h"
#include "fifo/signal.h"

namespace verbena::fifo {
namespace {

using base::Result;
using fabric::Region;

/// In front of a ring of our own lie the positions that the device writes into the reader's head,
/// one after the other: as many as it can have under way.
constexpr uint64_t kTailAlignment = 512;
/// Of messages in pieces: the reader copies one while the next is written, and it is still in the
/// cache. A request of the device's costs more.
constexpr uint64_t kSharedPiece = 16 << 10;
constexpr uint64_t kDevicePiece = 64 << 10;

}  // namespace

Result<void> Writer::hear(const connect::NewLink& link, std::span<const std::byte> words) {
  Result<RingWords> said = RingWords::ofReader(words);
  if (!said) return said.error();
  const fabric::RegionKey& key = said->key;
  bool fits = key.owner == link.peer && key.incarnation == link.incarnation &&
              (key.access & fabric::kRemotePut) != 0;
  if (said->capacity() > mostCapacity_) {
    return base::Error{"write to " + nameOf(number()), "", EPROTO,
                       "its ring has " + std::to_string(said->capacity()) +
                           " bytes, more than the " + std::to_string(mostCapacity_) +
                           " that this side takes"};
  }
  if (!fits) {
    return base::Error{"write to " + nameOf(number()), "", EPROTO,
                       "its reader's key is another node's, of a former life, or allows no put"};
  }
  ringOf_ = *said;
  return {};
}

Result<void> Writer::begin() {
  capacity_ = ringOf_.capacity();
  const ChannelsOptions& options = all_.options_;
  bool mayShare = options.share && ringOf_.name != RingWords::kNoFile;
  std::optional<RingFile> shared =
      mayShare ? RingFile::open(options.folder, ringOf_.name, capacity_) : std::nullopt;
  // Whoever comes late goes by the device, which knows that its link has ended.
  if (shared && shared->head().take(ringOf_.turn)) {
    file_.emplace(std::move(*shared));
    ring_.emplace(file_->data());
    ring_->begin();
    file_->head().writerBell = all_.bell_.name();
    file_->head().share(ringOf_.turn);
    return {};
  }
  auto staged = Region::allocate(all_.worker_.sharedDomain(), options.owner,
                                 tailBytes() + capacity_, fabric::Lends::no);
  if (!staged) return staged.error();
  staged_ = std::move(*staged);
  ring_.emplace(staged_->bytes().subspan(tailBytes(), capacity_));
  return {};
}

Writer::~Writer() {
  all_.forget(*this, closed_ ? " is closed" : " was given up by its writer", staged_);
}

void Writer::signalled(uint32_t value) {
  if (value == PositionSignal::kWake) return;
  uint64_t before = signalled_.load(std::memory_order_relaxed);
  signalled_.store(PositionSignal::extend(value, before), std::memory_order_release);
}

void Writer::completed(bool done) {
  if (!done) failed_.store(true, std::memory_order_release);
  completions_.fetch_add(1, std::memory_order_release);
}

// ------------------------------------------------------------------ room

uint64_t Writer::released() {
  // acquire pairs with Reader::releaseFrame(): what was read may be written over
  if (file_) return file_->head().released.load(std::memory_order_acquire);
  return signalled_.load(std::memory_order_acquire);
}

/// The reader has released it, and the device has it behind itself.
uint64_t Writer::reusableByDevice() {
  uint64_t completions = completions_.load(std::memory_order_acquire);
  for (; seen_ < completions; seen_++) {
    done_ = underWay_.front();
    underWay_.pop_front();
  }
  return std::min(done_, released());
}

/// For what one publish() posts.
bool Writer::deviceHasRoom() {
  if (underWay_.size() < all_.mostUnderWay()) return true;
  all_.drive();
  static_cast<void>(reusableByDevice());
  return underWay_.size() < all_.mostUnderWay();
}

/// Whether there is more room than before.
bool Writer::reclaim() {
  if (!file_) {
    postDue();
    all_.drive();
  } else if (++idle_ % kLooksBetweenRounds == 0) {
    all_.drive();
  }
  uint64_t reusable = file_ ? released() : reusableByDevice();
  if (reusable == ring_->reusable()) return false;
  if (reusable < ring_->reusable() || reusable > ring_->published()) {
    if (!std::exchange(broken_, true))
      lose("the reader says that it has read what was not written");
    return false;
  }
  ring_->reuse(reusable);
  return true;
}

Outcome Writer::claimSlowly(uint64_t bytes, std::byte*& at) {
  claimed_.reset();
  if (bytes > mostInPlace()) return Outcome::tooLarge;
  if (phase() == Phase::over || broken_) return Outcome::lost;
  if (closed_) return Outcome::ended;
  if (!file_ && !deviceHasRoom()) return Outcome::wouldBlock;
  at = ring_->claim(bytes);
  if (at == nullptr && reclaim()) at = ring_->claim(bytes);
  if (at == nullptr) return Outcome::wouldBlock;
  claimed_ = bytes;
  return Outcome::done;
}

Outcome Writer::claim(uint64_t bytes, std::byte*& at, std::chrono::nanoseconds timeout) {
  return timed(timeout, [&] { return claim(bytes, at); });
}

void Writer::aboutToSleep() {
  if (file_) file_->head().writerSleeps.store(1, std::memory_order_seq_cst);
}

void Writer::awake() {
  if (file_) file_->head().writerSleeps.store(0, std::memory_order_relaxed);
}

// ------------------------------------------------------------------ messages

void Writer::refuse(uint64_t bytes) const {
  throw std::invalid_argument(
      "publish " + std::to_string(bytes) +
      " bytes: " + (claimed_ ? std::to_string(*claimed_) + " are" : "none is") + " claimed");
}

/// The link's own reports may have taken the room that there was: the device gives it back soon. It
/// is not left to a later call, which might never come: who waits for the answer to this message
/// makes none of this writer.
void Writer::sendPublished() {
  while (!postDue() && phase() == Phase::linked && !broken_) all_.drive();
}

Outcome Writer::tryPublish(uint64_t bytes) {
  check(bytes);
  enter(Kind::whole, bytes);
  return file_ ? Outcome::done : handedOver(postDue());
}

Outcome Writer::nudge() {
  if (file_) {
    wakeSurely(file_->head().readerSleeps);
    return handedOver(true);
  }
  bool all = postDue();
  if (all && toldSilently_) toldSilently_ = !signal(PositionSignal::kWake);
  return handedOver(all && !toldSilently_);
}

Outcome Writer::handedOver(bool all) {
  if (phase() == Phase::over || broken_) return Outcome::lost;
  return all ? Outcome::done : Outcome::wouldBlock;
}

uint64_t Writer::pieceBytes() const {
  return std::min(capacity_ / 4, file_ ? kSharedPiece : kDevicePiece);
}

Outcome Writer::push(Pushing& message) {
  if (!message.begun && message.from.size() <= mostInPlace()) {
    return copyFrame(Kind::whole, message.from, message);
  }
  if (!message.begun) {
    std::array<std::byte, 8> length;
    base::putLittle<uint64_t>(length, 0, message.from.size());
    Pushing heading;
    Outcome begun = copyFrame(Kind::first, length, heading);
    if (begun != Outcome::done) return begun;
    message.begun = true;
  }
  while (message.bytes < message.from.size()) {
    std::span<const std::byte> left = message.from.subspan(message.bytes);
    Outcome written =
        copyFrame(Kind::more, left.first(std::min(left.size(), pieceBytes())), message);
    if (written != Outcome::done) return written;
  }
  return Outcome::done;
}

Outcome Writer::copyFrame(Kind kind, std::span<const std::byte> bytes, Pushing& message) {
  std::byte* at = nullptr;
  Outcome claimed = claim(bytes.size(), at);
  if (claimed != Outcome::done) return claimed;
  copyBytes(bytes, at);
  publishFrame(kind, bytes.size());
  message.bytes += bytes.size();
  return Outcome::done;
}

Outcome Writer::push(Pushing& message, std::chrono::nanoseconds timeout) {
  return timed(timeout, [&] { return push(message); });
}

Outcome Writer::push(std::span<const std::byte> message, std::chrono::nanoseconds timeout) {
  Pushing pushing{message};
  return push(pushing, timeout);
}

Outcome Writer::close(std::chrono::nanoseconds timeout) {
  return timed(timeout, [&] {
    if (!closed_) {
      std::byte* at = nullptr;
      Outcome claimed = claim(0, at);
      if (claimed != Outcome::done) return claimed;
      publishFrame(Kind::end, 0);
      closed_ = true;
    }
    return flushed();
  });
}

Outcome Writer::flush(std::chrono::nanoseconds timeout) {
  return timed(timeout, [&] { return flushed(); });
}

Outcome Writer::flushed() {
  if (file_) return Outcome::done;
  bool all = isFlushed();
  bool isLost = broken_ || failed_.load(std::memory_order_acquire);
  if (all && !isLost) return Outcome::done;
  return isLost || phase() == Phase::over ? Outcome::lost : Outcome::wouldBlock;
}

// ------------------------------------------------------------------ by the device

bool Writer::postDue() {
  while (posted_ < ring_->published()) {
    uint64_t lapEnd = (posted_ / capacity_ + 1) * capacity_;
    uint64_t end = std::min(ring_->published(), lapEnd);
    bool isLast = end == ring_->published();
    bool posted = (isLast && postTelling(end)) || post(end, false);
    if (!posted) return false;
  }
  return told_ == posted_ || tellInMemory();
}

/// The far end may have made room for more signals, which a round finds out.
bool Writer::postTelling(uint64_t end) {
  if (post(end, true)) return true;
  all_.drive();
  return post(end, true);
}

bool Writer::post(uint64_t end, bool tells) {
  uint64_t offset = posted_ % capacity_;
  fabric::Request put{.operation = fabric::Operation::put,
                      .signals = tells,
                      .signal = PositionSignal::of(end),
                      .local = staged_.get(),
                      .localOffset = tailBytes() + offset,
                      .key = ringOf_.key,
                      .offset = RingHead::kBytes + offset,
                      .length = end - posted_,
                      .cookie = link()};
  if (!postOne(put)) return false;
  posted_ = end;
  if (tells) {
    told_ = end;
    toldSilently_ = false;
  }
  underWay_.push_back(end);
  return true;
}

/// The far end has room for no further signal: it has others to look at.
bool Writer::tellInMemory() {
  uint64_t offset = tails_ * sizeof(uint64_t) % tailBytes();
  base::putLittle<uint64_t>(staged_->bytes(), offset, posted_);
  fabric::Request put{.operation = fabric::Operation::put,
                      .local = staged_.get(),
                      .localOffset = offset,
                      .key = ringOf_.key,
                      .offset = offsetof(RingHead, published),
                      .length = sizeof(uint64_t),
                      .cookie = link()};
  if (!postOne(put)) return false;
  tails_++;
  toldSilently_ = true;
  told_ = posted_;
  underWay_.push_back(posted_);
  return true;
}

/// False if there is no room now, or will never be any.
bool Writer::postOne(const fabric::Request& request) {
  Result<uint32_t> posted = all_.post(link(), request);
  if (posted) return *posted == 1;
  bool isDown = posted.error().code == ENOTCONN;
  if (!isDown && !std::exchange(broken_, true)) lose(posted.error().sentence());
  return false;
}

uint64_t Writer::tailBytes() const {
  uint64_t bytes = all_.worker_.options().sendWorkRequests * sizeof(uint64_t);
  return (bytes + kTailAlignment - 1) / kTailAlignment * kTailAlignment;
}

bool Writer::isFlushed() {
  bool all = postDue();
  all_.drive();
  static_cast<void>(reusableByDevice());
  return all && underWay_.empty();
}

}  // namespace verbena::fifo
