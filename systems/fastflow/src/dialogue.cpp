// SPDX-License-Identifier: Apache-2.0
#include "verbena/mtcl/dialogue.h"

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <thread>
#include <utility>

namespace verbena::mtcl {
namespace {

using Guard = std::lock_guard<std::mutex>;

constexpr uint64_t kMillisecond = 1'000'000;
/// A sleeper is woken when something happens; nobody waits longer for its lock.
constexpr uint64_t kLong = 100 * kMillisecond;
/// Where both directions are under way, one of them is only looked at now and then.
constexpr uint64_t kShort = kMillisecond / 5;

int errorOf(vbn_outcome outcome) {
  switch (outcome) {
    case VBN_CHANNEL_WOULD_BLOCK: return EWOULDBLOCK;
    case VBN_CHANNEL_LOST: return ECONNRESET;
    case VBN_CHANNEL_TOO_LARGE: return EMSGSIZE;
    default: return EIO;
  }
}

}  // namespace

// ------------------------------------------------------------------ operations

int Operation::result() const {
  if (state_.load(std::memory_order_acquire) != State::failed) return 0;
  errno = error_;
  return -1;
}

void Operation::end(ssize_t bytes, int error) {
  bytes_ = bytes;
  error_ = error;
  state_.store(error == 0 ? State::done : State::failed, std::memory_order_release);
}

// ------------------------------------------------------------------ both directions

Dialogue::Dialogue(std::shared_ptr<void> needed, vbn_reader* reader, vbn_writer* writer,
                   Clock::duration linger)
    : needed_(std::move(needed)), linger_(linger), reader_(reader), writer_(writer) {}

Dialogue::~Dialogue() {
  vbn_writer_free(writer_);
  vbn_reader_free(reader_);
}

int Dialogue::failed(int error) {
  errno = error;
  return -1;
}

std::shared_ptr<Operation> Dialogue::begin(Direction& in, std::shared_ptr<Operation> operation) {
  {
    Guard guard(in.lock);
    in.open.push_back(operation);
    in.count.fetch_add(1, std::memory_order_relaxed);
  }
  progress(in);
  return operation;
}

/// The first one is over.
void Dialogue::end(Direction& in, ssize_t bytes, int error) {
  in.open.front()->end(bytes, error);
  in.open.pop_front();
  in.count.fetch_sub(1, std::memory_order_relaxed);
}

void Dialogue::progress(Direction& in) {
  if (in.count.load(std::memory_order_relaxed) == 0) return;
  std::unique_lock guard(in.lock, std::try_to_lock);
  if (!guard) return;
  if (&in == &sending_) {
    progressSending();
  } else {
    progressReceiving();
  }
}

void Dialogue::progress() {
  progress(sending_);
  progress(receiving_);
}

int Dialogue::wait(const Operation& operation) {
  for (progress(); !operation.isOver(); progress()) {
    if (operation.kind_ == Operation::Kind::send) {
      awaitRoom();
    } else {
      awaitMessage();
    }
  }
  return operation.result();
}

void Dialogue::awaitMessage() {
  bool alsoSends = sending_.count.load(std::memory_order_relaxed) != 0;
  const void* message = nullptr;
  uint64_t bytes = 0;
  Guard guard(receiving_.lock);
  if (reader_ != nullptr) vbn_reader_peek(reader_, alsoSends ? kShort : kLong, &message, &bytes);
}

void Dialogue::awaitRoom() {
  bool alsoReceives = receiving_.count.load(std::memory_order_relaxed) != 0;
  Guard guard(sending_.lock);
  if (sending_.open.empty() || writer_ == nullptr) return;
  const Operation& next = *sending_.open.front();
  vbn_outcome pushed =
      vbn_writer_push(writer_, next.place_, next.room_, alsoReceives ? kShort : kLong);
  if (pushed != VBN_CHANNEL_WOULD_BLOCK) endSend(pushed);
}

// ------------------------------------------------------------------ sending

ssize_t Dialogue::send(const void* message, std::size_t bytes) {
  std::shared_ptr<Operation> sent = sendLater(message, bytes);
  return wait(*sent) == 0 ? sent->bytes() : -1;
}

std::shared_ptr<Operation> Dialogue::sendLater(const void* message, std::size_t bytes) {
  auto* place = const_cast<void*>(message);  // only read
  return begin(sending_,
               std::shared_ptr<Operation>(new Operation(Operation::Kind::send, place, bytes)));
}

void Dialogue::progressSending() {
  while (!sending_.open.empty()) {
    const Operation& next = *sending_.open.front();
    vbn_outcome pushed = writer_ == nullptr ? VBN_CHANNEL_LOST
                                            : vbn_writer_push(writer_, next.place_, next.room_, 0);
    if (pushed == VBN_CHANNEL_WOULD_BLOCK) return;
    endSend(pushed);
  }
}

/// A channel whose reader has gone takes nothing: the far side reads no more.
void Dialogue::endSend(vbn_outcome pushed) {
  int error = pushed == VBN_CHANNEL_DONE ? 0 : pushed == VBN_CHANNEL_LOST ? EPIPE : errorOf(pushed);
  end(sending_, static_cast<ssize_t>(sending_.open.front()->room_), error);
}

int Dialogue::endSending() {
  auto limit = lingerEnd();
  for (progress(); sending_.count.load(std::memory_order_relaxed) != 0; progress()) {
    if (Clock::now() >= limit) return giveUpSending();
    awaitRoom();
  }
  Guard guard(sending_.lock);
  if (writer_ == nullptr) return 0;
  vbn_outcome closed = VBN_CHANNEL_WOULD_BLOCK;
  while (closed == VBN_CHANNEL_WOULD_BLOCK && Clock::now() < limit) {
    closed = vbn_writer_close(writer_, kShort);
    progress(receiving_);
  }
  vbn_writer_free(std::exchange(writer_, nullptr));
  if (closed == VBN_CHANNEL_WOULD_BLOCK) return failed(ETIMEDOUT);
  return closed == VBN_CHANNEL_DONE ? 0 : failed(EPIPE);
}

int Dialogue::giveUpSending() {
  Guard guard(sending_.lock);
  while (!sending_.open.empty()) end(sending_, 0, ETIMEDOUT);
  vbn_writer_free(std::exchange(writer_, nullptr));
  return failed(ETIMEDOUT);
}

Dialogue::Clock::time_point Dialogue::lingerEnd() const {
  auto now = Clock::now();
  return linger_ < Clock::time_point::max() - now ? now + linger_ : Clock::time_point::max();
}

// ------------------------------------------------------------------ receiving

int Dialogue::probe(std::size_t& bytes, bool waits) {
  for (;;) {
    progress();
    switch (vbn_outcome next = lookAtNext(bytes)) {
      case VBN_CHANNEL_DONE: return bytes == 0 ? 0 : 1;
      case VBN_CHANNEL_WOULD_BLOCK: break;
      default: return failed(errorOf(next));
    }
    if (!waits) return giveWay(), failed(EWOULDBLOCK);
    awaitMessage();
  }
}

/// The end is a message of nothing.
vbn_outcome Dialogue::lookAtNext(std::size_t& bytes) {
  std::unique_lock guard(receiving_.lock, std::try_to_lock);
  if (!guard || !receiving_.open.empty()) return VBN_CHANNEL_WOULD_BLOCK;
  uint64_t length = 0;
  vbn_outcome next =
      ended_ || reader_ == nullptr ? VBN_CHANNEL_ENDED : vbn_reader_probe(reader_, &length);
  if (next == VBN_CHANNEL_ENDED) {
    ended_ = true;
    length = 0;
    next = VBN_CHANNEL_DONE;
  }
  if (next == VBN_CHANNEL_DONE) bytes = length;
  return next;
}

/// Programs ask in a loop, more of them than there are processors: whoever is to answer may want
/// this one. One that only yields may keep it from the others nevertheless (docs/tuning.md).
void Dialogue::giveWay() {
  constexpr unsigned kLooksBetweenYields = 32;
  constexpr unsigned kLooksBetweenSleeps = 32 * kLooksBetweenYields;
  unsigned looks = 1 + inVain_.fetch_add(1, std::memory_order_relaxed);
  if (looks % kLooksBetweenSleeps == 0) {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  } else if (looks % kLooksBetweenYields == 0) {
    std::this_thread::yield();
  }
}

bool Dialogue::isReadable() {
  std::size_t bytes = 0;
  return probe(bytes, false) >= 0 || errno != EWOULDBLOCK;
}

ssize_t Dialogue::receive(void* into, std::size_t room) {
  std::size_t length = 0;
  if (probe(length, true) < 0) return -1;
  if (length > room) return failed(EMSGSIZE);
  std::shared_ptr<Operation> received = receiveLater(into, room);
  return wait(*received) == 0 ? received->bytes() : -1;
}

std::shared_ptr<Operation> Dialogue::receiveLater(void* into, std::size_t room) {
  return begin(receiving_,
               std::shared_ptr<Operation>(new Operation(Operation::Kind::receive, into, room)));
}

void Dialogue::progressReceiving() {
  while (!receiving_.open.empty() && receiveNext(*receiving_.open.front())) {
  }
}

bool Dialogue::receiveNext(const Operation& into) {
  if (drops_) return drop();
  uint64_t bytes = 0;
  vbn_outcome got = ended_ || reader_ == nullptr
                        ? VBN_CHANNEL_ENDED
                        : vbn_reader_pop(reader_, into.place_, into.room_, 0, &bytes);
  if (got == VBN_CHANNEL_WOULD_BLOCK) return false;
  if (got == VBN_CHANNEL_TOO_LARGE) return drop();
  bool isMessage = got == VBN_CHANNEL_DONE || got == VBN_CHANNEL_ENDED;
  if (isMessage && bytes == 0) ended_ = true;
  end(receiving_, static_cast<ssize_t>(bytes), isMessage ? 0 : errorOf(got));
  return true;
}

bool Dialogue::drop() {
  uint64_t bytes = 0;
  vbn_outcome got = vbn_reader_drop(reader_, &bytes);
  drops_ = got == VBN_CHANNEL_WOULD_BLOCK;
  if (drops_) return false;
  int error = got == VBN_CHANNEL_DONE ? EMSGSIZE : errorOf(got);
  end(receiving_, static_cast<ssize_t>(bytes), error);
  return true;
}

void Dialogue::endReceiving() {
  Guard guard(receiving_.lock);
  while (!receiving_.open.empty()) end(receiving_, 0, ECONNABORTED);
  vbn_reader_free(std::exchange(reader_, nullptr));
}

}  // namespace verbena::mtcl
