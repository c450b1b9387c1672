// SPDX-License-Identifier: Apache-2.0
#include "softnic/wire/tcp_outbound.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace verbena::softnic {
namespace {

constexpr uint64_t kPauseNs = 100'000'000;      // between two tries that failed
constexpr uint64_t kAttemptNs = 3'000'000'000;  // a handshake that takes longer begins anew

}  // namespace

Outbound::Outbound(TcpTerms& terms, const ibv_gid& gid, uint32_t slot)
    : terms_(terms), port_(terms.basePort + slot) {
  hello_.magic = kHelloMagic;
  hello_.from = terms.self;
  hello_.to = {0, slot, 0, gid};
  hello_.flags = terms.proofs.flags();
}

bool Outbound::begin(uint64_t now) {
  downSinceNs_ = now;
  if (!dial(now)) return false;
  ring_ = std::make_unique<RingMemory>();
  return true;
}

bool Outbound::dial(uint64_t now) {
  socket_ = dialTcp(hello_.from.gid, hello_.to.gid, port_);
  if (!socket_ || !fill(hello_.nonce)) return false;
  handshake_.emplace(terms_.proofs, hello_);
  attemptEndsNs_ = now + kAttemptNs;
  state_ = State::Shaking;
  return true;
}

void Outbound::attend(uint64_t now) {
  if (state_ == State::Open) hear();
  if (state_ == State::Open && broken_) {
    terms_.counts.cuts++;
    downSinceNs_ = now;
    rest(now);
    nextTryNs_ = now;
  }
  if (state_ == State::Shaking) shake(now);
  if (state_ != State::Resting) return;
  // It may have gone down in the middle of the caller's round, behind the caller's look at the
  // clock.
  if (now > downSinceNs_ && now - downSinceNs_ >= terms_.downNs) return over();
  if (now < nextTryNs_) return;
  if (dial(now)) {
    shake(now);
  } else {
    rest(now);
  }
}

void Outbound::shake(uint64_t now) {
  switch (handshake_->advance(socket_)) {
    case Dialling::State::Greeting:
    case Dialling::State::Proving:
      if (now >= attemptEndsNs_) rest(now);
      return;
    case Dialling::State::Accepted: return open();
    case Dialling::State::Refused:
      refusedByKey_ = handshake_->refusal() == Verdict::OtherKey;
      if (refusedByKey_) terms_.counts.refusedKeys++;
      return over();
    case Dialling::State::Broken:
      // Nobody listens there: the port would, as long as it lives.
      return handshake_->brokenBy() == ECONNREFUSED ? over() : rest(now);
  }
}

/// From here on the ring goes on where the far side has it.
void Outbound::open() {
  uint64_t head = ring_->head.load(std::memory_order_relaxed);
  uint64_t received = handshake_->received();
  if (received - head > sent_ - head) return over();  // it cannot have that
  bool known = hello_.to.incarnation != 0;
  if (known && hello_.to.incarnation != handshake_->incarnation()) return over();
  hello_.to.incarnation = handshake_->incarnation();
  hello_.flags |= kResumes;
  if (accepted_) terms_.counts.resumed++;
  accepted_ = true;
  broken_ = false;
  state_ = State::Open;
  handshake_.reset();
  report_ = {};
  // Both ends of this ring are ours, under one lock: no order to keep.
  ring_->head.store(received, std::memory_order_relaxed);
  sent_ = received;
  send();
}

void Outbound::rest(uint64_t now) {
  socket_ = base::FileDescriptor();
  handshake_.reset();
  nextTryNs_ = now + kPauseNs;
  state_ = State::Resting;
}

/// Perhaps not in the service's thread, which this wakes; the socket goes with the link.
void Outbound::over() {
  shutdown(socket_.get(), SHUT_RDWR);
  state_ = State::Over;
}

/// Perhaps while the service's thread sleeps on the socket: that wakes it, and it alone closes it.
void Outbound::breakOff() {
  broken_ = true;
  shutdown(socket_.get(), SHUT_RDWR);
}

void Outbound::send() {
  if (!isOpen()) return;
  uint64_t tail = ring_->tail.load(std::memory_order_relaxed);
  while (sent_ != tail) {
    uint64_t offset = sent_ & (kRingCapacityBytes - 1);
    uint64_t count = std::min(tail - sent_, kRingCapacityBytes - offset);
    ssize_t sent = sendSome(socket_, ring_->data + offset, count);
    if (sent < 0) return breakOff();
    if (sent == 0) return;
    sent_ += static_cast<uint64_t>(sent);
  }
}

void Outbound::hear() {
  while (isOpen()) {
    auto step = report_.read(socket_);
    if (step == Incoming<Report>::Step::Broken) return breakOff();
    if (step == Incoming<Report>::Step::Part) return;
    uint64_t head = ring_->head.load(std::memory_order_relaxed);
    uint64_t received = report_.message().received;
    if (received - head > sent_ - head) return over();  // it cannot have that
    ring_->head.store(received, std::memory_order_relaxed);
  }
}

void Outbound::end() {
  if (socket_) shutdown(socket_.get(), SHUT_WR);
}

short Outbound::expected() const {
  bool out = state_ == State::Open ? waits() : handshake_ && handshake_->wantsToSend();
  return static_cast<short>(POLLIN | (out ? POLLOUT : 0));
}

}  // namespace verbena::softnic
