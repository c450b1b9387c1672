// SPDX-License-Identifier: Apache-2.0
//
// The side that begins: HELLO until a CHALLENGE comes, then the links that are wished for are
// offered.
#include <algorithm>
#include <utility>

#include "connect/peer.h"
#include "connect/udp_socket.h"

namespace verbena::connect {
namespace {

/// So many unanswered HELLOs or OFFERs of a dial that goes first before the other side's may pass
/// it: this side may dial an address that is wrong, or not right any more.
constexpr unsigned kHellosThatGoFirst = 3;
constexpr unsigned kOffersThatGoFirst = 6;
constexpr unsigned kProbesToMiss = 3;

std::string milliseconds(Time time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(time).count()) +
         " ms";
}

}  // namespace

std::vector<Address> Peer::targets() const {
  std::vector<Address> all = addresses_;
  if (learned_ && std::find(all.begin(), all.end(), *learned_) == all.end()) {
    all.push_back(*learned_);
  }
  return all;
}

void Peer::setAddresses(std::vector<Address> addresses) {
  lookedUp_ = false;
  if (addresses == addresses_) return;
  addresses_ = std::move(addresses);
  probeAt_ = own_.now;
  targetsChanged();
}

void Peer::foundAt(const Address& address) {
  if (!addresses_.empty()) return setAddresses({address});
  idleSince_ = own_.now;
  if (learned_ == address) return;
  learned_ = address;
  targetsChanged();
}

void Peer::targetsChanged() {
  std::vector<Address> all = targets();
  if (state() == State::opening) {
    bool moved = std::find(all.begin(), all.end(), session_->address) == all.end();
    if (moved) endSession(nameOf(id_) + " has another address", true);
  }
  if (!dial_) return;
  dial_->tries = 0;
  bounced_.clear();
  sendHello();
}

void Peer::lookUpFailed(const std::string& text) {
  lookedUp_ = false;
  if (dial_ && targets().empty()) failDials(Refusal::local, text);
}

void Peer::dial(LinkName name, Time deadline) {
  if (links_.stateOf(name) == Links::State::up) return;
  if (own_.closing) {
    own_.observer.dialFailed(id_, name, Refusal::closing, nameOf(own_.options.self) + " closes");
  } else if (targets().empty() && !session_ && !lookedUp_) {
    std::string unknown = "no address of " + nameOf(id_) + " is known; add it as a peer";
    own_.observer.dialFailed(id_, name, Refusal::local,
                             removedFor_.empty() ? unknown : removedFor_);
  } else {
    wishes_.add(name, deadline);
  }
}

void Peer::beginHello() {
  dial_ = Dial{.nonce = own_.newNonce()};
  bounced_.clear();
  sendHello();
}

void Peer::sendHello() {
  std::vector<Address> all = targets();
  if (!all.empty()) {
    dial_->address = all[dial_->tries % all.size()];
    own_.send(dial_->address, own_.hello(id_, dial_->nonce));
    if (dial_->tries > 0) ++own_.counts.packetsRepeated;
  }
  dial_->retryAt = own_.now + own_.backOff(dial_->tries++);
}

void Peer::helloTimer() {
  if (dial_->unproved.empty()) {
    sendHello();
  } else {
    failDials(Refusal::key, nameOf(id_, dial_->address) + " refuses: " + dial_->unproved);
  }
}

bool Peer::goesFirst() const {
  if (own_.options.self > id_) return false;
  return (dial_ && dial_->tries <= kHellosThatGoFirst) ||
         (state() == State::opening && session_->offersSent <= kOffersThatGoFirst);
}

void Peer::challenged(const Packet& packet, const Address& from) {
  if (probe_ && packet.dialler == *probe_) {
    probe_.reset();
    setReachable(true);
  } else if (dial_ && packet.dialler == dial_->nonce) {
    beginSession(packet, from);
  } else if (state() == State::opening && session_->dialled &&
             packet.dialler == session_->dialler &&
             (packet.accepter != session_->accepter ||
              packet.sourceIncarnation != session_->incarnation)) {
    session_->accepter = packet.accepter;
    session_->incarnation = packet.sourceIncarnation;
    links_.offerAgain();
  } else {
    ++own_.counts.rejectedStale;
  }
}

void Peer::beginSession(const Packet& packet, const Address& from) {
  std::optional<uint8_t> version = kVersions.common(packet.versions);
  if (!version) return;  // it would have refused
  std::vector<Address> all = targets();
  bool isKnown = std::find(all.begin(), all.end(), from) != all.end();
  session_.emplace(own_, id_);
  session_->dialler = packet.dialler;
  session_->accepter = packet.accepter;
  session_->dialled = true;
  session_->version = *version;
  session_->incarnation = packet.sourceIncarnation;
  session_->address = isKnown ? from : dial_->address;
  dial_.reset();
  bounced_.clear();
  setReachable(true);
}

/// What comes first in a session that this side has dialled. The dialling side's nonce alone says
/// that it is: a challenge that came twice may have left another nonce of the accepting side here
/// than the one that was accepted.
void Peer::adopt(const Packet& packet) {
  bool comesFirst = state() == State::opening && packet.dialler == session_->dialler;
  if (!comesFirst || !packet.versions.has(session_->version)) return;
  session_->accepter = packet.accepter;
  session_->incarnation = packet.sourceIncarnation;
}

void Peer::refused(const Packet& packet) {
  if (probe_ && packet.dialler == *probe_) {
    probe_.reset();
    setReachable(packet.reason == Refusal::crossed);
    return;
  }
  bool ofDial = dial_ && packet.dialler == dial_->nonce;
  bool ofSession = state() == State::opening && packet.dialler == session_->dialler;
  if (!ofDial && !ofSession) {
    ++own_.counts.rejectedStale;
    return;
  }
  std::string text =
      nameOf(id_, ofDial ? dial_->address : session_->address) + " refuses: " + packet.text;
  if (packet.reason != Refusal::crossed) return failDials(packet.reason, text);
  dial_.reset();
  endSession(text, false);
  wishes_.giveWayAll();
}

void Peer::refusedUnproved(const Packet& packet) {
  bool believed = dial_ && packet.dialler == dial_->nonce && packet.reason == Refusal::key;
  if (believed) dial_->unproved = packet.text.empty() ? "another cluster key" : packet.text;
}

bool Peer::unreachable(const Address& address, int code) {
  if (contest_ && address == session_->address) {
    Contest won = *contest_;
    endSession("another life of " + nameOf(id_, won.from) + " dials, and nothing listens at " +
                   address.text() + " any more",
               false);
    accept(won.packet, won.from);
    return true;
  }
  if (!bouncesOff(address)) return false;
  failDials(Refusal::timeout, unreachableText(address, code));
  return true;
}

/// Notes it. Whether a dial can be given up: nothing gets through to any address that it tries,
/// which is one alone once the node has answered from there.
bool Peer::bouncesOff(const Address& address) {
  std::vector<Address> tried;
  if (dial_) tried = targets();
  if (state() == State::opening) tried = {session_->address};
  if (std::find(tried.begin(), tried.end(), address) == tried.end()) return false;
  bounced_[address]++;
  return std::all_of(tried.begin(), tried.end(),
                     [&](const Address& each) { return bounced_[each] >= kBouncesToBelieve; });
}

std::string Peer::unreachableText(const Address& address, int code) const {
  if (code == ECONNREFUSED) {
    return "nothing listens at " + address.text() + "; is " + nameOf(id_) + " running there?";
  }
  std::string text = nameOf(id_, address) + " cannot be reached: ";
  if (code != EAFNOSUPPORT) return text + base::errorName(code);
  std::string theirs = address.isIpv4() ? "IPv4" : "IPv6";
  std::string ours = address.isIpv4() ? "IPv6" : "IPv4";
  return text + "this is an " + theirs + " address, and " + nameOf(own_.options.self) +
         " listens at " + own_.options.listen + ", which is for " + ours +
         " alone; listen at [::]:PORT, which serves both, or name an " + ours + " address of " +
         nameOf(id_);
}

/// All that is wished for meets the same.
void Peer::failDials(Refusal why, const std::string& text) {
  if (why == Refusal::timeout) setReachable(false);
  dial_.reset();
  wishes_.failAll(why, text);
  endSession(text, false);
  probeAt_ = own_.now + own_.options.discovery;
}

void Peer::expireWishes() {
  for (LinkName name : wishes_.expired()) {
    std::string text = timeoutText(name);
    if (state() != State::open) setReachable(false);
    wishes_.fail(name, Refusal::timeout, text);
    links_.withdraw(name, text);
  }
  if (!wishes_.empty()) return;
  if (dial_) probeAt_ = own_.now + own_.options.discovery;
  dial_.reset();
}

std::string Peer::timeoutText(LinkName name) const {
  const Wishes::Wish* wish = wishes_.find(name);
  std::string within = " within " + milliseconds(wish->deadline - wish->since);
  if (links_.stateOf(name) == Links::State::closing) {
    return "the last link with " + nameOf(id_) + " did not close" + within;
  }
  if (dial_ && targets().empty()) return "no address of " + nameOf(id_) + " was found" + within;
  if (dial_) return "no answer from " + nameOf(id_, dial_->address) + within;
  if (links_.stateOf(name) == Links::State::offered) {
    return nameOf(id_, session_->address) + " did not answer the offer of a link" + within;
  }
  if (links_.stateOf(name) == Links::State::answered) {
    return nameOf(id_, session_->address) + " offered, but did not confirm" + within;
  }
  return nameOf(id_) + " dialled at the same time and goes first, but did not come" + within;
}

/// Asks an unconnected node whether it is there. What it answers costs it nothing.
void Peer::probe() {
  if (own_.options.discovery.count() == 0 || addresses_.empty() || own_.now < probeAt_) return;
  if (probe_ && ++probesUnanswered_ >= kProbesToMiss) setReachable(false);
  probe_ = own_.newNonce();
  Packet hello = own_.hello(id_, *probe_);
  for (const Address& address : addresses_) own_.send(address, hello);
  probeAt_ = own_.now + own_.options.discovery;
}

}  // namespace verbena::connect
