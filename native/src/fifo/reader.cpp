// SPDX-License-Identifier: Apache-2.0
#include "fifo/reader.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/wire.h"
#include "fifo/signal.h"
#include "fifo/words.h"
#include "host/futex.h"

namespace verbena::fifo {
namespace {

using base::Error;
using base::Result;
using fabric::RegionKey;

constexpr uint32_t kMostPauses = 256;

}  // namespace

Result<std::unique_ptr<Reader>> Reader::make(Channels& all, uint16_t number, uint64_t capacity) {
  auto good = checkCapacity("read " + nameOf(number), capacity);
  if (!good) return good.error();
  Result<RingFile> file = RingFile::create(all.options_.folder, capacity);
  if (!file) return file.error();
  file->head().readerBell = all.bell_.name();
  auto region = fabric::Region::registerForeign(all.node_.worker().sharedDomain(),
                                                all.options_.owner, file->all(), fabric::Lends::no);
  if (!region) return region.error();
  Result<RegionKey> key = (*region)->share(0, file->all().size(), fabric::kRemotePut);
  if (!key) return key.error();
  auto memory = std::make_shared<Memory>(Memory{std::move(*file), std::move(*region)});
  return std::unique_ptr<Reader>(new Reader(all, number, std::move(memory), *key));
}

Reader::Reader(Channels& all, uint16_t number, std::shared_ptr<Memory> memory, RegionKey key)
    : End(all, number),
      memory_(std::move(memory)),
      key_(key),
      head_(memory_->file.head()),
      ring_(memory_->file.data()) {}

Reader::~Reader() {
  all_.forget(*this, " is read no more", memory_);
}

// ------------------------------------------------------------------ the link

std::vector<std::byte> Reader::words() const {
  uint64_t name = all_.options_.share ? memory_->file.name() : RingWords::kNoFile;
  return RingWords{name, key_, turn_}.bytes();
}

Result<void> Reader::hear(const connect::NewLink& /*link*/, std::span<const std::byte> words) {
  return RingWords::checkVersion(words);
}

void Reader::signalled(uint32_t value) {
  if (value == PositionSignal::kWake) return;
  uint64_t before = signalled_.load(std::memory_order_relaxed);
  signalled_.store(PositionSignal::extend(value, before), std::memory_order_release);
}

/// Nothing was written yet.
bool Reader::waitsAgain() {
  bool isUntouched = signalled_.load(std::memory_order_relaxed) == 0 &&
                     head_.published.load(std::memory_order_relaxed) == 0;
  if (!isUntouched || !head_.endTurn(turn_)) return false;
  turn_++;
  return true;
}

// ------------------------------------------------------------------ frames

uint64_t Reader::limit() {
  if (isShared()) return RingReader::kNoLimit;
  // acquire pairs with signalled(): the bytes came before the signal
  uint64_t signalled = signalled_.load(std::memory_order_acquire);
  return std::max(signalled, head_.published.load(std::memory_order_acquire));
}

Frame Reader::nextSlowly(Outcome& none) {
  none = ended_ ? Outcome::ended : Outcome::lost;
  if (ended_ || broken_) return {};
  bool over = phase() == Phase::over;
  if (over) all_.give();  // the last signals, which another thread may be about to give
  Frame frame = ring_.next(limit());
  if (frame.kind == Kind::end && !length_) {
    releaseFrame(frame);
    ended_ = true;
    none = Outcome::ended;
    return {};
  }
  if (frame.kind != Kind::none) {
    idle_ = 0;
    return frame;
  }
  if (ring_.broken()) return lostBy("what lies in its ring is no message", none);
  if (over) return {};
  none = Outcome::wouldBlock;
  idle();
  return {};
}

Frame Reader::lostBy(const char* reason, Outcome& none) {
  broken_ = true;
  none = Outcome::lost;
  lose(reason);
  return {};
}

/// A reader that has caught up with a stream of small messages would take each cache line from the
/// writer in the middle of it. It stays away for a while, the longer the more messages it found.
void Reader::stayAway() {
  uint32_t pauses = std::min(std::exchange(inARow_, 0), kMostPauses);
  for (uint32_t i = 0; i < pauses; i++) host::pause();
}

void Reader::idle() {
  stayAway();
  idle_++;
  if (isShared() && idle_ % kLooksBetweenRounds != 0) return;
  if (idle_ % kLooksBetweenRounds == 0) tell();
  all_.drive();
}

void Reader::aboutToSleep() {
  tell();
  head_.readerSleeps.store(1, std::memory_order_seq_cst);
}

void Reader::awake() {
  head_.readerSleeps.store(0, std::memory_order_relaxed);
}

void Reader::tell() {
  if (isShared() || told_ == ring_.released() || phase() != Phase::linked) return;
  if (signal(PositionSignal::of(ring_.released()))) told_ = ring_.released();
}

bool Reader::nudge() {
  if (isShared()) {
    wakeSurely(head_.writerSleeps);
    return true;
  }
  tell();
  return told_ == ring_.released() || phase() != Phase::linked;
}

/// A reader that always finds a message looks for nothing else: signals wait to be taken, and those
/// of its own to be done.
void Reader::roundOnTheWay() {
  tell();
  all_.drive();
}

// ------------------------------------------------------------------ messages

Outcome Reader::peek(std::span<const std::byte>& message, std::chrono::nanoseconds timeout) {
  return timed(timeout, [&] { return peek(message); });
}

Outcome Reader::probe(uint64_t& bytes) {
  if (length_) {
    bytes = *length_;
    return Outcome::done;
  }
  Outcome none;
  Frame frame = next(none);
  if (frame.kind == Kind::none) return none;
  bytes = lengthOf(frame);
  return Outcome::done;
}

/// Of the message that begins with the frame.
uint64_t Reader::lengthOf(const Frame& frame) {
  return frame.kind == Kind::first ? base::getLittle<uint64_t>(frame.bytes, 0) : frame.bytes.size();
}

Outcome Reader::pop(Popping& message) {
  return takeMessage(message.into.size(), message.into.data(), message.bytes);
}

Outcome Reader::drop(uint64_t& bytes) {
  return takeMessage(UINT64_MAX, nullptr, bytes);
}

/// Copies it, if there is a place.
Outcome Reader::takeMessage(uint64_t room, std::byte* into, uint64_t& bytes) {
  if (length_ && *length_ > room) return Outcome::tooLarge;
  for (;;) {
    Outcome none;
    Frame frame = next(none);
    if (frame.kind == Kind::none) return none;
    // Looked at once: a writer that shares the memory can change it meanwhile.
    uint64_t length = length_ ? *length_ : lengthOf(frame);
    if (length > room) return Outcome::tooLarge;
    bool comesNext = length_ ? frame.kind == Kind::more : begin(frame, length);
    if (!comesNext || !take(frame, into)) {
      static_cast<void>(lostBy("a message's pieces are not those of one", none));
      return none;
    }
    bytes = popped_;
    if (popped_ == *length_) {
      length_.reset();
      return Outcome::done;
    }
  }
}

/// A message, by its first frame. False if a message does not begin so.
bool Reader::begin(const Frame& frame, uint64_t length) {
  if (frame.kind != Kind::whole && frame.kind != Kind::first) return false;
  length_ = length;
  popped_ = 0;
  return true;
}

/// False if it is more than the message still lacks, for all of which there is room.
bool Reader::take(const Frame& frame, std::byte* into) {
  if (frame.kind != Kind::first) {
    if (frame.bytes.size() > *length_ - popped_) return false;
    if (into != nullptr) copyBytes(frame.bytes, into + popped_);
    popped_ += frame.bytes.size();
  }
  shown_.kind = Kind::none;  // it may be this one, which is released once
  releaseFrame(frame);
  return true;
}

Outcome Reader::pop(Popping& message, std::chrono::nanoseconds timeout) {
  return timed(timeout, [&] { return pop(message); });
}

}  // namespace verbena::fifo
