// SPDX-License-Identifier: Apache-2.0
#include "connect/questions.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "connect/udp_socket.h"

namespace verbena::connect {
namespace {

std::string whyUnreachable(const Address& address, int code) {
  if (code == ECONNREFUSED) return "nothing listens at " + address.text();
  return address.text() + " cannot be reached: " + base::errorName(code);
}

int codeOf(Refusal why) {
  return why == Refusal::closing ? ECONNREFUSED : EACCES;
}

}  // namespace

void Questions::ask(std::vector<Address> addresses, Time deadline, FoundOrNot tell) {
  asked_.push_back({.addresses = std::move(addresses),
                    .since = own_.now,
                    .deadline = deadline,
                    .tell = std::move(tell),
                    .nonce = own_.newNonce()});
  auto question = std::prev(asked_.end());
  if (own_.closing) return fail(question, ECANCELED, "this node closes");
  send(*question);
}

void Questions::send(Question& question) {
  question.retryAt = own_.now + own_.backOff(question.tries++);
  own_.send(question.address(), own_.hello(kAnyNode, question.nonce));
}

void Questions::shutDown() {
  while (!asked_.empty()) fail(asked_.begin(), ECANCELED, "this node closes");
}

// ------------------------------------------------------------------ answers

Questions::Place Questions::of(const Nonce& nonce) {
  return std::ranges::find(asked_, nonce, &Question::nonce);
}

bool Questions::heard(const Packet& packet, const Address& from) {
  auto question = of(packet.dialler);
  if (question == asked_.end()) return false;
  bool knowsFrom = std::ranges::find(question->addresses, from) != question->addresses.end();
  Address address = knowsFrom ? from : question->address();
  // Who dials this node at the same time and goes first is there.
  bool isThere = packet.kind == PacketKind::challenge || packet.reason == Refusal::crossed;
  if (isThere) {
    found(question, {packet.source, address});
  } else {
    fail(question, codeOf(packet.reason),
         nameOf(packet.source, address) + " refuses: " + packet.text);
  }
  return true;
}

bool Questions::heardOwn(const Packet& packet) {
  auto question = of(packet.dialler);
  if (question == asked_.end()) return false;
  fail(question, ELOOP, "it is this node itself");
  return true;
}

void Questions::refusedUnproved(const Packet& packet) {
  auto question = of(packet.dialler);
  bool isOfKey = question != asked_.end() && packet.reason == Refusal::key;
  if (isOfKey) question->unproved = packet.text.empty() ? "another cluster key" : packet.text;
}

void Questions::unreachable(const Address& address, int code) {
  for (auto each = asked_.begin(); each != asked_.end();) {
    auto question = each++;
    auto at = std::ranges::find(question->addresses, address) - question->addresses.begin();
    auto index = static_cast<size_t>(at);
    if (index == question->addresses.size()) continue;
    unsigned& bounced = question->bounced[address];
    bounced = std::min(bounced + 1, question->sentTo(index));  // others ask there, too
    bool isNobody = true;
    for (size_t i = 0; i < question->addresses.size(); i++) {
      isNobody = isNobody && question->bounced[question->addresses[i]] >= kBouncesToBelieve;
    }
    if (isNobody) {
      fail(question, code, whyUnreachable(address, code));
    } else {
      question->retryAt = own_.now;  // it is known soon
    }
  }
}

void Questions::found(Place question, const Found& node) {
  FoundOrNot tell = std::move(question->tell);
  asked_.erase(question);
  tell(node);
}

void Questions::fail(Place question, int code, const std::string& why) {
  base::Error error{"find the node at " + question->addresses.front().text(), "", code, why};
  FoundOrNot tell = std::move(question->tell);
  asked_.erase(question);
  tell(std::move(error));
}

// ------------------------------------------------------------------ time

std::optional<Time> Questions::next() const {
  if (asked_.empty()) return std::nullopt;
  return std::ranges::min_element(asked_, {}, &Question::due)->due();
}

void Questions::timer() {
  for (auto each = asked_.begin(); each != asked_.end();) {
    auto question = each++;
    if (question->due() <= own_.now) sendAgain(question);
  }
}

void Questions::sendAgain(Place question) {
  // A CHALLENGE would have come by now.
  if (!question->unproved.empty()) return fail(question, EACCES, question->unproved);
  if (question->deadline <= own_.now) {
    auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(own_.now - question->since);
    return fail(question, ETIMEDOUT, "no answer within " + std::to_string(waited.count()) + " ms");
  }
  ++own_.counts.packetsRepeated;
  send(*question);
}

}  // namespace verbena::connect
