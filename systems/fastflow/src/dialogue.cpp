// SPDX-License-Identifier: Apache-2.0
#include "verbena/mtcl/dialogue.h"

#include <cerrno>
#include <cstdint>
#include <thread>
#include <utility>

namespace verbena::mtcl {
namespace {

constexpr uint64_t kMillisecond = 1'000'000;
/// Calls come back by themselves when something happens.
constexpr uint64_t kLong = 60'000 * kMillisecond;
/// Where both directions are waited for, one of them is only looked at now and
/// then.
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
  if (state_ != State::failed) return 0;
  errno = error_;
  return -1;
}

void Operation::end(ssize_t bytes, int error) {
  bytes_ = bytes;
  error_ = error;
  state_ = error == 0 ? State::done : State::failed;
}

// ------------------------------------------------------------------ both
// directions

Dialogue::Dialogue(std::shared_ptr<void> needed, vbn_reader* reader, vbn_writer* writer)
    : needed_(std::move(needed)), reader_(reader), writer_(writer) {}

Dialogue::~Dialogue() {
  vbn_writer_free(writer_);
  vbn_reader_free(reader_);
}

int Dialogue::failed(int error) {
  errno = error;
  return -1;
}

void Dialogue::progress() {
  progressSending();
  progressReceiving();
}

int Dialogue::wait(const Operation& operation) {
  for (progress(); !operation.isOver(); progress()) pause();
  return operation.result();
}

void Dialogue::pause() {
  if (sending_.empty()) {
    const void* message = nullptr;
    uint64_t bytes = 0;
    vbn_reader_peek(reader_, kLong, &message, &bytes);
    return;
  }
  Operation& next = *sending_.front();
  vbn_outcome pushed =
      vbn_writer_push(writer_, next.place_, next.room_, receiving_.empty() ? kLong : kShort);
  if (pushed != VBN_CHANNEL_WOULD_BLOCK) endSend(pushed);
}

// ------------------------------------------------------------------ sending

ssize_t Dialogue::send(const void* message, std::size_t bytes) {
  std::shared_ptr<Operation> sent = sendLater(message, bytes);
  return wait(*sent) == 0 ? sent->bytes() : -1;
}

std::shared_ptr<Operation> Dialogue::sendLater(const void* message, std::size_t bytes) {
  std::shared_ptr<Operation> operation(new Operation(const_cast<void*>(message), bytes));
  sending_.push_back(operation);
  progressSending();
  return operation;
}

void Dialogue::progressSending() {
  while (!sending_.empty()) {
    Operation& next = *sending_.front();
    vbn_outcome pushed = writer_ == nullptr ? VBN_CHANNEL_LOST
                                            : vbn_writer_push(writer_, next.place_, next.room_, 0);
    if (pushed == VBN_CHANNEL_WOULD_BLOCK) return;
    endSend(pushed);
  }
}

/// A channel whose reader has gone takes nothing: the far side reads no more.
void Dialogue::endSend(vbn_outcome pushed) {
  Operation& sent = *sending_.front();
  int error = pushed == VBN_CHANNEL_DONE ? 0 : pushed == VBN_CHANNEL_LOST ? EPIPE : errorOf(pushed);
  sent.end(static_cast<ssize_t>(sent.room_), error);
  sending_.pop_front();
}

int Dialogue::endSending() {
  if (writer_ == nullptr) return 0;
  while (!sending_.empty()) wait(*std::shared_ptr<Operation>(sending_.back()));
  vbn_outcome closed = VBN_CHANNEL_WOULD_BLOCK;
  while (closed == VBN_CHANNEL_WOULD_BLOCK) closed = vbn_writer_close(writer_, kLong);
  vbn_writer_free(writer_);
  writer_ = nullptr;
  return closed == VBN_CHANNEL_DONE ? 0 : failed(EPIPE);
}

// ------------------------------------------------------------------ receiving

int Dialogue::probe(std::size_t& bytes, bool waits) {
  for (;;) {
    progress();
    if (ended_ || reader_ == nullptr) return bytes = 0, 0;
    uint64_t length = 0;
    vbn_outcome next =
        receiving_.empty() ? vbn_reader_probe(reader_, &length) : VBN_CHANNEL_WOULD_BLOCK;
    if (next == VBN_CHANNEL_ENDED) ended_ = true;
    if (next == VBN_CHANNEL_ENDED) continue;
    if (next == VBN_CHANNEL_DONE) return bytes = length, length == 0 ? 0 : 1;
    if (next != VBN_CHANNEL_WOULD_BLOCK) return failed(errorOf(next));
    if (!waits) return giveWay(), failed(EWOULDBLOCK);
    pause();
  }
}

/// Programs ask in a loop, more of them than there are processors: whoever is
/// to answer may want this one.
void Dialogue::giveWay() {
  constexpr unsigned kLooksBetweenYields = 32;
  if (++inVain_ % kLooksBetweenYields == 0) std::this_thread::yield();
}

bool Dialogue::isReadable() {
  std::size_t bytes = 0;
  return probe(bytes, false) >= 0 || errno != EWOULDBLOCK;
}

ssize_t Dialogue::receive(void* into, std::size_t room) {
  std::size_t length = 0;
  int there = probe(length, true);
  if (there < 0) return -1;
  if (length > room) return failed(EMSGSIZE);
  std::shared_ptr<Operation> received = receiveLater(into, room);
  return wait(*received) == 0 ? received->bytes() : -1;
}

std::shared_ptr<Operation> Dialogue::receiveLater(void* into, std::size_t room) {
  std::shared_ptr<Operation> operation(new Operation(into, room));
  receiving_.push_back(operation);
  progressReceiving();
  return operation;
}

void Dialogue::progressReceiving() {
  while (!receiving_.empty() && receiveNext(*receiving_.front())) receiving_.pop_front();
}

bool Dialogue::receiveNext(Operation& into) {
  if (skipped_ != nullptr) return skip(into);
  uint64_t bytes = 0;
  vbn_outcome got = ended_ || reader_ == nullptr
                        ? VBN_CHANNEL_ENDED
                        : vbn_reader_pop(reader_, into.place_, into.room_, 0, &bytes);
  if (got == VBN_CHANNEL_WOULD_BLOCK) return false;
  if (got == VBN_CHANNEL_TOO_LARGE) return skip(into);
  if (got != VBN_CHANNEL_DONE && got != VBN_CHANNEL_ENDED) return into.end(0, errorOf(got)), true;
  if (bytes == 0) ended_ = true;
  return into.end(static_cast<ssize_t>(bytes), 0), true;
}

/// Its bytes have to go somewhere.
bool Dialogue::skip(Operation& tooLarge) {
  if (skipped_ == nullptr) {
    uint64_t length = 0;
    vbn_reader_probe(reader_, &length);
    skipped_ = std::make_unique<std::byte[]>(length);
    skippedBytes_ = length;
  }
  uint64_t bytes = 0;
  vbn_outcome got = vbn_reader_pop(reader_, skipped_.get(), skippedBytes_, 0, &bytes);
  if (got == VBN_CHANNEL_WOULD_BLOCK) return false;
  skipped_.reset();
  tooLarge.end(static_cast<ssize_t>(bytes), got == VBN_CHANNEL_DONE ? EMSGSIZE : errorOf(got));
  return true;
}

void Dialogue::endReceiving() {
  for (auto& each : receiving_) each->end(0, ECONNABORTED);
  receiving_.clear();
  vbn_reader_free(reader_);
  reader_ = nullptr;
}

}  // namespace verbena::mtcl
