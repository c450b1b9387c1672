// SPDX-License-Identifier: Apache-2.0
//
// How a connection of the TCP wire begins (docs/protocol.md, "The wire of softnic"): who dials
// whom, a proof of each side that it knows the cluster's key, and from where the bytes go on.
//
//   dialling side                       accepting side
//   Hello, its nonce         ------->
//                            <-------   Challenge, its nonce
//   its proof                ------->
//                            <-------   Answer: whether it is taken, how far its ring was received,
//                                       and a proof
//   bytes of its ring        ------->
//                            <-------   Reports of how far it was received
//
// A proof covers both nonces, both identities and the role, so none can be used again, or turned
// round. The dialling side proves itself first: who knows no key gets no proof made with it out of
// a port that listens.
#pragma once

#include <infiniband/verbs.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "base/sha256.h"
#include "softnic/wire/tcp_socket.h"

namespace verbena::softnic {

inline constexpr uint64_t kHelloMagic = 0x324f'4c4c'4548'4e56;      // "VNHELLO2"
inline constexpr uint64_t kChallengeMagic = 0x324c'4c41'4843'4e56;  // "VNCHALL2"
inline constexpr uint64_t kAnswerMagic = 0x3252'5753'4e41'4e56;     // "VNANSWR2"

using WireNonce = std::array<std::byte, 16>;

enum HelloFlags : uint32_t {
  kHasKey = 1,   // the sender has a cluster key
  kResumes = 2,  // the ring has been received before, by the life of the port that `to` names
};

/// One life of a port. Integers are little endian, the GID is as in verbs.
struct Identity {
  uint64_t incarnation;  // 0: not known yet
  uint32_t slot;
  uint32_t reserved;
  ibv_gid gid;
};
static_assert(sizeof(Identity) == 32);

struct Hello {
  uint64_t magic;
  Identity from;
  Identity to;
  WireNonce nonce;
  uint32_t flags;
  uint32_t reserved;
};
static_assert(sizeof(Hello) == 96);

struct Challenge {
  uint64_t magic;
  uint64_t incarnation;
  WireNonce nonce;
  uint32_t flags;
  uint32_t reserved;
};
static_assert(sizeof(Challenge) == 40);

enum class Verdict : uint32_t {
  Accepted = 1,
  OtherKey = 2,  // the proof is wrong, or one side alone has a key
  Gone = 3,      // the life, or the ring in it, that was to go on is not there any more
  NoRoom = 4,    // the address has as many links as it may
};

struct Answer {
  uint64_t magic;
  Verdict verdict;
  uint32_t reserved;
  uint64_t received;  // position in the dialling side's ring from which it is to go on
  base::Digest proof;
};
static_assert(sizeof(Answer) == 56);

/// Follows on an accepted connection now and then: how far the ring was received.
struct Report {
  uint64_t received;
};

/// Random bytes of the system. False if it has none.
bool fill(WireNonce& nonce);

/// What a port says and expects as proof of the cluster's key; without one both are zeros.
class Proofs {
 public:
  explicit Proofs(std::span<const std::byte> key) {
    if (!key.empty()) key_.emplace(key);
  }
  bool hasKey() const { return key_.has_value(); }
  uint32_t flags() const { return hasKey() ? kHasKey : 0U; }
  base::Digest ofDialler(const Hello& hello, const Challenge& challenge) const;
  /// Of all of `answer` but its proof.
  base::Digest ofAcceptor(const Hello& hello, const Challenge& challenge,
                          const Answer& answer) const;

 private:
  std::optional<base::Hmac> key_;
};

/// Messages on their way out of a socket that does not block.
class Outgoing {
 public:
  template <typename T>
  void put(const T& message) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::memcpy(bytes_.data() + size_, &message, sizeof message);
    size_ += sizeof message;
  }
  bool empty() const { return sent_ == size_; }
  /// False and errno if the connection is broken.
  bool send(const base::FileDescriptor& socket);

 private:
  std::array<std::byte, 128> bytes_{};  // one side's part of a handshake
  size_t size_ = 0;
  size_t sent_ = 0;
};

/// A message on its way in.
template <typename T>
class Incoming {
 public:
  enum class Step : uint8_t { Whole, Part, Broken };
  /// Broken: with errno. Whole once for each message.
  Step read(const base::FileDescriptor& socket) {
    if (got_ == sizeof(T)) got_ = 0;
    auto* into = reinterpret_cast<std::byte*>(&message_) + got_;
    ssize_t got = receiveSome(socket, into, sizeof(T) - got_);
    if (got < 0) return Step::Broken;
    got_ += static_cast<size_t>(got);
    return got_ == sizeof(T) ? Step::Whole : Step::Part;
  }
  const T& message() const { return message_; }

 private:
  T message_{};
  size_t got_ = 0;
};

/// The dialling side, over one connection.
class Dialling {
 public:
  enum class State : uint8_t {
    Greeting,  // the Hello is out, or goes out: the Challenge is awaited
    Proving,   // likewise our proof: the Answer is awaited
    Accepted,  // both have proved themselves: bytes of the ring may follow
    Refused,   // for good: `refusal()` says why
    Broken,    // the connection has gone: `brokenBy()` is the errno, 0 for an end in order
  };

  /// `hello` with a nonce of its own.
  Dialling(const Proofs& proofs, const Hello& hello);
  /// Does what the socket allows.
  State advance(const base::FileDescriptor& socket);

  bool wantsToSend() const { return !out_.empty(); }
  Verdict refusal() const { return refusal_; }
  int brokenBy() const { return brokenBy_; }
  uint64_t incarnation() const { return challenge_.message().incarnation; }
  uint64_t received() const { return answer_.message().received; }

 private:
  State hearChallenge(const base::FileDescriptor& socket);
  State hearAnswer(const base::FileDescriptor& socket);
  State refused(Verdict why);
  State broken();

  const Proofs& proofs_;
  Hello hello_;
  State state_ = State::Greeting;
  Verdict refusal_ = Verdict::Gone;
  int brokenBy_ = 0;
  Outgoing out_;
  Incoming<Challenge> challenge_;
  Incoming<Answer> answer_;
};

/// The accepting side, over one connection.
class Accepting {
 public:
  enum class State : uint8_t {
    Silent,    // the Hello has not arrived completely
    Proving,   // the Challenge is out: a proof is awaited
    Proven,    // the dialling side has proved itself: the Answer is due
    Refused,   // by its key: `answer()` may tell it so
    Dismissed  // the connection has gone, or its bytes are no Hello to us
  };

  Accepting(const Proofs& proofs, const Identity& self);
  State advance(const base::FileDescriptor& socket);
  State state() const { return state_; }
  const Hello& hello() const { return hello_.message(); }
  /// The last word of the handshake. False if the socket does not take it: then there was none.
  bool answer(const base::FileDescriptor& socket, Verdict verdict, uint64_t received);

 private:
  State hearHello(const base::FileDescriptor& socket);
  State hearProof(const base::FileDescriptor& socket);
  bool isForUs(const base::FileDescriptor& socket) const;

  const Proofs* proofs_;
  Identity self_;
  State state_ = State::Silent;
  Incoming<Hello> hello_;
  Challenge challenge_{};
  Outgoing out_;
  Incoming<base::Digest> proof_;
};

}  // namespace verbena::softnic
