// SPDX-License-Identifier: Apache-2.0
//
// The TCP side of a context: accepts connections, finds or dials the links they belong to, and has
// a thread that sleeps on the sockets. Only a context that was told to (VERBENA_SOFTNIC_TCP) has
// one. Nothing on a connection is authenticated: it is for networks whose hosts trust each other.
#pragma once

#include <poll.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "host/lock.h"
#include "softnic/wire/tcp_link.h"

namespace verbena::softnic {

struct Context;

class TcpService {
 public:
  TcpService(Context& context, TcpPlace place, base::FileDescriptor listener);

  /// False and errno if the system has no thread or descriptor for us.
  bool start();
  /// Called without the context's lock.
  void stop();

  // --- under the context's lock
  /// The living link to the port, dialled if need be. Null and errno on failure.
  std::shared_ptr<TcpLink> linkTo(const ibv_gid& gid, uint32_t slot);
  /// Sockets or what is expected of them have changed.
  void wake();
  ibv_gid gid() const { return place_.gid(); }

 private:
  /// A connection that belongs to no link yet: its Hello has not arrived completely, or a link
  /// whose end is not proven is in its place.
  struct Guest {
    base::FileDescriptor socket;
    Hello hello{};
    size_t got = 0;
    bool introduced() const { return got == sizeof(Hello); }
  };
  static constexpr size_t kMaxGuests = 64;
  /// As many as one address can make us keep, each with two rings and two sockets.
  static constexpr size_t kMaxLinksPerAddress = 128;

  void serve();
  void pass(std::unique_lock<host::Lock>& guard);
  std::vector<pollfd> watched() const;
  int waitLimitMs() const;
  void acceptGuests();
  void sendOneAway();
  void hearGuests();
  bool hearGuest(Guest& guest);
  bool seat(Guest& guest);
  bool mayHaveAnother(const ibv_gid& gid) const;
  std::shared_ptr<TcpLink> find(const ibv_gid& gid, uint32_t slot) const;
  /// Calls use(link) for each TCP link that is not dead.
  template <typename Use>
  void forEachLiving(Use use) const;

  Context& context_;
  TcpPlace place_;
  base::FileDescriptor listener_;
  base::FileDescriptor bell_;
  bool listenerRests_ = false;  // until the next pass: there was nothing left to accept with
  std::vector<Guest> guests_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace verbena::softnic
