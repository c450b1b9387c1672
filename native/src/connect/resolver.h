// SPDX-License-Identifier: Apache-2.0
//
// Looks host names up beside the job thread: getaddrinfo() may block for many seconds, in which the
// job thread has to answer others.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "connect/address.h"
#include "connect/queue_pairs.h"

namespace verbena::connect {

class Resolver {
 public:
  /// Called by the resolver's thread. No addresses: `error` says why.
  using Found =
      std::function<void(NodeId peer, std::vector<Address> addresses, const std::string& error)>;

  /// `family`: AF_INET, AF_INET6 or AF_UNSPEC.
  Resolver(int family, Found found);
  /// `found` is not called any more. A look-up that is under way goes on without us: it cannot be
  /// interrupted, and nobody should wait for it.
  ~Resolver();
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;

  /// The thread starts with the first name: most clusters have none. False if it cannot.
  bool ask(NodeId peer, const HostAndPort& name);

 private:
  struct Shared;
  static void run(const std::shared_ptr<Shared>& shared);
  std::shared_ptr<Shared> shared_;
};

}  // namespace verbena::connect
