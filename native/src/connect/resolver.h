// SPDX-License-Identifier: Apache-2.0
//
// Looks host names up beside the job thread: getaddrinfo() may block for many seconds, in which the
// job thread has to answer others.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "connect/address.h"
#include "connect/link.h"

namespace verbena::connect {

class Resolver {
 public:
  /// So many look-ups go on at a time, each of another host; one that nobody answers for keeps up
  /// no more than one of them.
  static constexpr size_t kMostThreads = 4;

  /// Without ports as it is looked up, with the asker's as it is told. No addresses: `error` says
  /// why.
  struct Answer {
    std::vector<Address> addresses;
    std::string error;
  };
  /// Called by one of the resolver's threads, one at a time.
  using Found = std::function<void(NodeId peer, const HostAndPort& name, Answer answer)>;
  /// Blocks until it knows. Called by the resolver's threads, several at a time, and may outlive
  /// the resolver. `family`: AF_INET, AF_INET6 or AF_UNSPEC.
  using LookUp = std::function<Answer(const std::string& host, int family)>;

  /// Asks the system.
  static Answer askSystem(const std::string& host, int family);

  Resolver(int family, Found found, LookUp lookUp = askSystem);
  /// `found` is not called any more. Look-ups that are under way go on without us: they cannot be
  /// interrupted, and nobody should wait for them.
  ~Resolver();
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;

  /// Asked for a host that is being looked up, it does not ask again. Threads start with the names:
  /// most clusters have none. False if there is no thread for it.
  bool ask(NodeId peer, const HostAndPort& name);
  /// The addresses of "host:port" or "[v6]:port". Blocks until it knows. Any thread.
  base::Result<std::vector<Address>> resolve(const std::string& text) const;

 private:
  struct Shared;
  static void run(const std::shared_ptr<Shared>& shared);
  static Answer lookUp(Shared& shared, const std::string& host);
  static void tell(Shared& shared, const std::string& host, const Answer& answer);
  bool haveThread();
  std::shared_ptr<Shared> shared_;
};

}  // namespace verbena::connect
