// SPDX-License-Identifier: Apache-2.0
//
// The connection that a port dials to another one, and the ring whose bytes it carries.
//
// The bytes stay in the ring until the far side has reported them. So when the connection is cut
// while both ports live, it is dialled again and goes on from where the far side is; nothing above
// notices. The far port counts as gone when it cannot be reached for kLinkDownNs, when its host
// says that nobody listens there, or when who listens there is not that life of the port.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "softnic/wire/handshake.h"
#include "softnic/wire/ring.h"

namespace verbena::softnic {

inline constexpr uint64_t kLinkDownNs = 15'000'000'000;

/// What happened to a port's connections.
struct TcpCounts {
  uint64_t cuts = 0;         // of connections that had been accepted
  uint64_t resumed = 0;      // of those that we dial
  uint64_t refusedKeys = 0;  // handshakes in which a proof was wrong, or missing on one side
};

/// What the links of a port have in common. Under the port's lock.
struct TcpTerms {
  Identity self{};
  uint16_t basePort = 0;
  Proofs proofs{{}};
  uint64_t downNs = kLinkDownNs;
  TcpCounts counts{};
};

class Outbound {
 public:
  Outbound(TcpTerms& terms, const ibv_gid& gid, uint32_t slot);

  /// Begins to dial. False and errno if that cannot even be begun.
  bool begin(uint64_t now);
  /// What the service's thread does now and then, and when the socket says something: goes on with
  /// the handshake, hears reports, finds cuts and dials again.
  void attend(uint64_t now);
  /// Moves published bytes from the ring to the socket. Any thread.
  void send();
  /// Takes the far side's reports, which make room in the ring. Any thread.
  void hear();
  /// Nothing more is sent.
  void end();

  RingMemory* ring() const { return ring_.get(); }
  /// The connection is there, and both have proved themselves.
  bool isOpen() const { return state_ == State::Open && !broken_; }
  /// It was there, and is being dialled again: nobody knows whether that life of the port goes on.
  bool isInDoubt() const { return accepted_ && !isOpen(); }
  /// The far port is gone.
  bool isOver() const { return state_ == State::Over; }
  /// Why, where it has to do with keys.
  bool refusedByKey() const { return refusedByKey_; }
  /// Whether bytes wait to be sent.
  bool waits() const { return sent_ != ring_->tail.load(std::memory_order_relaxed); }
  /// Whether the ring is filling with bytes that have not been reported.
  bool isFilling() const {
    return sent_ - ring_->head.load(std::memory_order_relaxed) > kRingCapacityBytes / 2;
  }
  /// Whether something is to be done that no socket tells.
  bool isRestless() const { return state_ != State::Open || broken_; }
  /// Of the far port, 0 as long as it is not known.
  uint64_t incarnation() const { return hello_.to.incarnation; }
  void expect(uint64_t incarnation) { hello_.to.incarnation = incarnation; }

  int fd() const { return socket_.get(); }
  /// What is expected of the socket, as for poll().
  short expected() const;

 private:
  enum class State : uint8_t {
    Resting,  // there is no connection: it is dialled at nextTryNs_
    Shaking,  // a connection is made, or in its handshake
    Open,     // it carries the ring
    Over,     // there will be none
  };
  bool dial(uint64_t now);
  void shake(uint64_t now);
  void open();
  void rest(uint64_t now);
  void over();
  void breakOff();

  TcpTerms& terms_;
  uint32_t port_;
  Hello hello_{};
  State state_ = State::Resting;
  bool accepted_ = false;  // once: the far side has the ring
  bool broken_ = false;    // while Open: the service's thread is to find out
  bool refusedByKey_ = false;
  base::FileDescriptor socket_;
  std::optional<Dialling> handshake_;
  Incoming<Report> report_;
  std::unique_ptr<RingMemory> ring_;
  uint64_t sent_ = 0;           // position up to which the socket has taken the ring
  uint64_t downSinceNs_ = 0;    // while it is not Open
  uint64_t nextTryNs_ = 0;      // of Resting
  uint64_t attemptEndsNs_ = 0;  // of Shaking
};

}  // namespace verbena::softnic
