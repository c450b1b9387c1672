// SPDX-License-Identifier: Apache-2.0
//
// The TCP side of a port: accepts connections, finds or dials the links they belong to, and has
// a thread that sleeps on the sockets. Only a context that was told where to listen has one.
//
// Who connects is a guest until it has proved itself, and costs a socket and a few hundred bytes:
// rings are made afterwards. Without a cluster key nobody proves anything, and a claim alone throws
// nobody out.
#pragma once

#include <poll.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "host/lock.h"
#include "softnic/wire/tcp_link.h"

namespace verbena::softnic {

struct Context;

class TcpService {
 public:
  TcpService(Context& context, const TcpPlace& place, std::span<const std::byte> key,
             base::FileDescriptor listener);

  /// False and errno if the system has no thread or descriptor for us.
  bool start();
  /// Called without the port's lock.
  void stop();

  // --- under the port's lock
  /// The living link to the port, dialled if need be. Null and errno on failure.
  std::shared_ptr<TcpLink> linkTo(const ibv_gid& gid, uint32_t slot);
  /// Sockets or what is expected of them have changed.
  void wake();
  /// The application is about to sleep: what arrives is for the thread.
  void expectArrivals() {
    if (standsBy_) wake();
  }
  /// Whether what arrives is left to the application, which polls.
  bool standsBy() const { return standsBy_; }
  ibv_gid gid() const { return terms_.self.gid; }
  TcpTerms& terms() { return terms_; }

 private:
  /// A connection that belongs to no link yet: who made it has not proved itself, or a link whose
  /// end is not proven is in its place.
  struct Guest {
    base::FileDescriptor socket;
    Accepting handshake;
    uint64_t sinceNs;
  };
  enum class Room : uint8_t { Free, PerhapsSoon, None };
  static constexpr size_t kMaxGuests = 64;
  /// As many as one address can make us keep, each with two rings and two sockets.
  static constexpr size_t kMaxLinksPerAddress = 128;

  void serve();
  void pass(std::unique_lock<host::Lock>& guard);
  std::vector<pollfd> watched() const;
  int waitLimitMs() const;
  void silenceBell();
  void acceptGuests(uint64_t now);
  void sendOneAway();
  void hearGuests(uint64_t now);
  bool hearGuest(Guest& guest, uint64_t now);
  bool seat(Guest& guest, uint64_t now);
  bool seatAtNewLink(Guest& guest);
  bool take(Guest& guest, TcpLink& link);
  static bool turnAway(Guest& guest, Verdict why);
  Room roomFor(const ibv_gid& gid) const;
  std::shared_ptr<TcpLink> find(const ibv_gid& gid, uint32_t slot) const;
  std::shared_ptr<TcpLink> dial(const ibv_gid& gid, uint32_t slot);
  /// Calls use(link) for each TCP link that is not dead.
  template <typename Use>
  void forEachLiving(Use use) const;

  Context& context_;
  TcpTerms terms_;
  base::FileDescriptor listener_;
  base::FileDescriptor bell_;
  bool listenerRests_ = false;  // until the next pass: there was nothing left to accept with
  std::vector<Guest> guests_;
  bool standsBy_ = false;  // the application polls by itself: who waits for arrivals disturbs it
  uint32_t pollsSeen_ = 0;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace verbena::softnic
