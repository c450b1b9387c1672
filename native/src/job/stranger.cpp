// SPDX-License-Identifier: Apache-2.0
#include "job/stranger.h"

#include <sys/socket.h>

#include <cerrno>

namespace verbena::job {

void Stranger::hear(const Proofs& proofs) {
  if (state_ == State::Greeting) hearHello();
  if (state_ == State::Proving) hearProof(proofs);
}

bool Stranger::read(std::span<std::byte> message) {
  std::span<std::byte> rest = message.subspan(readBytes_);
  ssize_t got = recv(socket_.get(), rest.data(), rest.size(), MSG_DONTWAIT);
  bool isOver = got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
  if (isOver) state_ = State::Refused;
  if (got > 0) readBytes_ += static_cast<size_t>(got);
  if (readBytes_ < message.size()) return false;
  readBytes_ = 0;
  return true;
}

/// All that a stranger is told fits into the room of a socket that nothing was sent on.
bool Stranger::send(std::span<const std::byte> message) {
  ssize_t sent = ::send(socket_.get(), message.data(), message.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  return sent == static_cast<ssize_t>(message.size());
}

void Stranger::hearHello() {
  if (!read(hello_.bytes)) return;
  state_ = State::Refused;
  auto challenge = Challenge::make();
  if (!hello_.isGood() || !challenge) return;
  challenge_ = *challenge;
  if (send(challenge_.bytes)) state_ = State::Proving;
}

void Stranger::hearProof(const Proofs& proofs) {
  if (!read(proof_)) return;
  bool proved = base::equalInConstantTime(proof_, proofs.ofOther(hello_, challenge_));
  state_ = proved ? State::Proved : State::Refused;
  if (!proved) refuse(proofs, Verdict::otherKey);
}

Answer Stranger::answer(const Proofs& proofs, Verdict verdict) const {
  return proofs.answer(verdict, hello_, challenge_);
}

void Stranger::refuse(const Proofs& proofs, Verdict verdict) {
  state_ = State::Refused;
  static_cast<void>(send(answer(proofs, verdict).bytes));
}

}  // namespace verbena::job
