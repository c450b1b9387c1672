// SPDX-License-Identifier: Apache-2.0
#include "softnic/wire/handshake.h"

#include <sys/random.h>
#include <sys/socket.h>

#include <cerrno>
#include <string_view>

namespace verbena::softnic {
namespace {

/// Nothing else that is signed with a cluster's key begins so.
constexpr std::string_view kDialler = "softnic 2, dialling side";
constexpr std::string_view kAcceptor = "softnic 2, accepting side";

/// What a proof is made over.
class Signed {
 public:
  explicit Signed(std::string_view role) { add(std::as_bytes(std::span(role))); }
  Signed& add(std::span<const std::byte> bytes) {
    std::memcpy(bytes_.data() + size_, bytes.data(), bytes.size());
    size_ += bytes.size();
    return *this;
  }
  template <typename T>
  Signed& addMessage(const T& message) {
    return add(std::as_bytes(std::span(&message, 1)));
  }
  std::span<const std::byte> all() const { return std::span(bytes_).first(size_); }

 private:
  std::array<std::byte, 32 + sizeof(Hello) + sizeof(Challenge) + sizeof(Answer)> bytes_{};
  size_t size_ = 0;
};

bool sameGid(const ibv_gid& a, const void* b) {
  return std::memcmp(a.raw, b, sizeof a.raw) == 0;
}

}  // namespace

bool fill(WireNonce& nonce) {
  return getrandom(nonce.data(), nonce.size(), 0) == ssize_t{sizeof nonce};
}

base::Digest Proofs::ofDialler(const Hello& hello, const Challenge& challenge) const {
  if (!key_) return {};
  return key_->of(Signed(kDialler).addMessage(hello).addMessage(challenge).all());
}

base::Digest Proofs::ofAcceptor(const Hello& hello, const Challenge& challenge,
                                const Answer& answer) const {
  if (!key_) return {};
  auto unproven = std::as_bytes(std::span(&answer, 1)).first(offsetof(Answer, proof));
  return key_->of(Signed(kAcceptor).addMessage(hello).addMessage(challenge).add(unproven).all());
}

bool Outgoing::send(const base::FileDescriptor& socket) {
  while (!empty()) {
    ssize_t sent = sendSome(socket, bytes_.data() + sent_, size_ - sent_);
    if (sent < 0) return false;
    if (sent == 0) return true;
    sent_ += static_cast<size_t>(sent);
  }
  return true;
}

// --- the dialling side

Dialling::Dialling(const Proofs& proofs, const Hello& hello) : proofs_(proofs), hello_(hello) {
  out_.put(hello_);
}

Dialling::State Dialling::advance(const base::FileDescriptor& socket) {
  if (state_ > State::Proving) return state_;
  if (!out_.send(socket)) return broken();
  if (state_ == State::Greeting) state_ = hearChallenge(socket);
  if (state_ == State::Proving) state_ = hearAnswer(socket);
  return state_;
}

Dialling::State Dialling::hearChallenge(const base::FileDescriptor& socket) {
  auto step = challenge_.read(socket);
  if (step == Incoming<Challenge>::Step::Broken) return broken();
  if (step == Incoming<Challenge>::Step::Part) return State::Greeting;
  const Challenge& challenge = challenge_.message();
  // Whoever listens there now speaks something else.
  if (challenge.magic != kChallengeMagic) return refused(Verdict::Gone);
  if ((challenge.flags & kHasKey) != proofs_.flags()) return refused(Verdict::OtherKey);
  uint64_t expected = hello_.to.incarnation;
  if (expected != 0 && challenge.incarnation != expected) return refused(Verdict::Gone);
  out_.put(proofs_.ofDialler(hello_, challenge));
  return out_.send(socket) ? State::Proving : broken();
}

Dialling::State Dialling::hearAnswer(const base::FileDescriptor& socket) {
  auto step = answer_.read(socket);
  if (step == Incoming<Answer>::Step::Broken) return broken();
  if (step == Incoming<Answer>::Step::Part) return State::Proving;
  const Answer& answer = answer_.message();
  if (answer.magic != kAnswerMagic) return refused(Verdict::Gone);
  // A refusal needs no proof: who can forge one can as well cut the connection.
  if (answer.verdict != Verdict::Accepted) return refused(answer.verdict);
  base::Digest expected = proofs_.ofAcceptor(hello_, challenge_.message(), answer);
  bool proven = base::equalInConstantTime(answer.proof, expected);
  return proven ? State::Accepted : refused(Verdict::OtherKey);
}

Dialling::State Dialling::refused(Verdict why) {
  refusal_ = why;
  return state_ = State::Refused;
}

Dialling::State Dialling::broken() {
  brokenBy_ = errno;
  return state_ = State::Broken;
}

// --- the accepting side

Accepting::Accepting(const Proofs& proofs, const Identity& self) : proofs_(&proofs), self_(self) {}

Accepting::State Accepting::advance(const base::FileDescriptor& socket) {
  if (state_ == State::Silent) state_ = hearHello(socket);
  if (state_ == State::Proving) state_ = hearProof(socket);
  return state_;
}

Accepting::State Accepting::hearHello(const base::FileDescriptor& socket) {
  auto step = hello_.read(socket);
  if (step == Incoming<Hello>::Step::Broken) return State::Dismissed;
  if (step == Incoming<Hello>::Step::Part) return State::Silent;
  if (!isForUs(socket)) return State::Dismissed;
  challenge_ = {kChallengeMagic, self_.incarnation, {}, proofs_->flags(), 0};
  if (!fill(challenge_.nonce)) return State::Dismissed;
  out_.put(challenge_);
  if (!out_.send(socket)) return State::Dismissed;
  return (hello().flags & kHasKey) == proofs_->flags() ? State::Proving : State::Refused;
}

Accepting::State Accepting::hearProof(const base::FileDescriptor& socket) {
  if (!out_.send(socket)) return State::Dismissed;
  auto step = proof_.read(socket);
  if (step == Incoming<base::Digest>::Step::Broken) return State::Dismissed;
  if (step == Incoming<base::Digest>::Step::Part) return State::Proving;
  base::Digest expected = proofs_->ofDialler(hello(), challenge_);
  bool proven = base::equalInConstantTime(proof_.message(), expected);
  return proven ? State::Proven : State::Refused;
}

/// Whether it comes from where it says, and is for this port.
bool Accepting::isForUs(const base::FileDescriptor& socket) const {
  sockaddr_in6 from{};
  socklen_t length = sizeof from;
  if (hello().magic != kHelloMagic || hello().from.slot >= kSlots) return false;
  if (hello().to.slot != self_.slot || !sameGid(hello().to.gid, self_.gid.raw)) return false;
  if (getpeername(socket.get(), reinterpret_cast<sockaddr*>(&from), &length) != 0) return false;
  return sameGid(hello().from.gid, &from.sin6_addr);
}

bool Accepting::answer(const base::FileDescriptor& socket, Verdict verdict, uint64_t received) {
  Answer answer{kAnswerMagic, verdict, 0, received, {}};
  if (verdict == Verdict::Accepted) {
    answer.proof = proofs_->ofAcceptor(hello(), challenge_, answer);
  }
  out_.put(answer);
  return out_.send(socket) && out_.empty();
}

}  // namespace verbena::softnic
