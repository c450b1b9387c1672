// SPDX-License-Identifier: Apache-2.0
//
// Who is at an address? HELLOs for nobody in particular, repeated until one is answered. They make
// no session: who has an answer dials.
#pragma once

#include <functional>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "connect/own_node.h"

namespace verbena::connect {

/// A node that has answered, and where.
struct Found {
  NodeId node;
  Address address;
};

/// EHOSTUNREACH, or what the network said: there is nobody. EACCES, ECONNREFUSED: there is, and it
/// refuses. ETIMEDOUT: no answer. ELOOP: it is this node itself.
using FoundOrNot = std::function<void(base::Result<Found> found)>;

class Questions {
 public:
  explicit Questions(OwnNode& own) : own_(own) {}

  /// The addresses are of one host; they are tried in turn.
  void ask(std::vector<Address> addresses, Time deadline, FoundOrNot tell);
  void shutDown();

  /// Whether the packet, which has proved its key, answers a question.
  bool heard(const Packet& packet, const Address& from);
  /// Likewise, of a packet that this node seems to have sent: one has come back to it.
  bool heardOwn(const Packet& packet);
  /// A refusal for want of the key, which proves nothing.
  void refusedUnproved(const Packet& packet);
  void unreachable(const Address& address, int code);

  std::optional<Time> next() const;
  /// Works off what is due.
  void timer();

 private:
  struct Question {
    std::vector<Address> addresses;
    Time since;
    Time deadline;
    FoundOrNot tell;
    Nonce nonce{};
    unsigned tries = 0;
    Time retryAt{0};
    std::string unproved{};  ///< what an unproved refusal said
    std::unordered_map<Address, unsigned, AddressHash> bounced{};  ///< packets, by address

    /// Packets that went there, of which each can bounce once.
    unsigned sentTo(size_t address) const {
      return static_cast<unsigned>((tries + addresses.size() - 1 - address) / addresses.size());
    }
    const Address& address() const { return addresses[(tries - 1) % addresses.size()]; }
    Time due() const { return std::min(deadline, retryAt); }
  };
  using Place = std::list<Question>::iterator;

  Place of(const Nonce& nonce);
  void send(Question& question);
  void sendAgain(Place question);
  void found(Place question, const Found& node);
  void fail(Place question, int code, const std::string& why);

  OwnNode& own_;
  std::list<Question> asked_;
};

}  // namespace verbena::connect
