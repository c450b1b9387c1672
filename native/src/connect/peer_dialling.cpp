// SPDX-License-Identifier: Apache-2.0
//
// The side that begins: HELLO until a CHALLENGE comes, OFFER until an ANSWER comes, CONFIRM.
#include <algorithm>
#include <utility>

#include "connect/peer.h"

namespace verbena::connect {
namespace {

/// So many unanswered HELLOs or OFFERs of a dial that goes first before the other side's may pass
/// it: this side may dial an address that is wrong, or not right any more.
constexpr unsigned kHellosThatGoFirst = 3;
constexpr unsigned kOffersThatGoFirst = 6;
/// So many packets to each address that a dial tries have to bounce before it is given up.
constexpr unsigned kBouncesToBelieve = 3;
/// Tries whose back-off a dial waits that has lost against the other side's.
constexpr unsigned kCrossedTries = 4;
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
  std::vector<Address> all = targets();
  bool moved = std::find(all.begin(), all.end(), connection_.address) == all.end();
  if (state_ == State::offer && moved) return takeDown(nameOf(id_) + " has another address", true);
  if (state_ != State::hello) return;
  tries_ = 0;
  bounced_.clear();
  sendHello();
}

void Peer::lookUpFailed(const std::string& text) {
  lookedUp_ = false;
  if (state_ == State::hello && targets().empty()) failDial(Refusal::local, text);
}

void Peer::dial(Time deadline) {
  if (state_ == State::up) return;
  if (own_.closing) {
    own_.observer.dialFailed(id_, Refusal::closing, nameOf(own_.options.self) + " closes");
    return;
  }
  bool underWay = state_ == State::answered || lookedUp_;
  if (targets().empty() && !underWay) {
    own_.observer.dialFailed(id_, Refusal::local,
                             "no address of " + nameOf(id_) + " is known; add it as a peer");
    return;
  }
  if (wish_) {
    wish_->deadline = std::max(wish_->deadline, deadline);
    return;
  }
  wish_ = {own_.now, deadline};
  restarts_ = 0;
  notBefore_ = own_.now;
  if (state_ == State::idle) beginHello();
}

void Peer::beginHello() {
  state_ = State::hello;
  connection_ = {};
  connection_.dialler = own_.newNonce();
  tries_ = 0;
  bounced_.clear();
  unproved_.clear();
  sendHello();
}

/// For a wish that is still there after a dial came to nothing.
void Peer::beginAgain() {
  retryAt_ = std::max(own_.now, notBefore_);
  if (restarts_++ > 0) retryAt_ = std::max(retryAt_, own_.now + own_.backOff(restarts_));
  if (retryAt_ == own_.now) beginHello();
}

void Peer::sendHello() {
  std::vector<Address> all = targets();
  if (!all.empty()) {
    connection_.address = all[tries_ % all.size()];
    Packet hello = make(PacketKind::hello);
    hello.counter = 0;
    hello.text = own_.options.cluster;
    own_.send(connection_.address, hello);
    if (tries_ > 0) ++own_.counts.packetsRepeated;
  }
  retryAfter(tries_++);
}

void Peer::helloTimer() {
  if (unproved_.empty()) {
    sendHello();
  } else {
    failDial(Refusal::key, whereabouts(connection_.address) + " refuses: " + unproved_);
  }
}

bool Peer::goesFirst() const {
  if (own_.options.self > id_) return false;
  return (state_ == State::hello && tries_ <= kHellosThatGoFirst) ||
         (state_ == State::offer && tries_ <= kOffersThatGoFirst);
}

void Peer::challenged(const Packet& packet, const Address& from) {
  if (probe_ && packet.dialler == *probe_) {
    probe_.reset();
    setReachable(true);
    return;
  }
  bool ofThisDial = packet.dialler == connection_.dialler;
  bool first = state_ == State::hello && ofThisDial;
  bool another = state_ == State::offer && ofThisDial &&
                 (packet.accepter != connection_.accepter ||
                  packet.sourceIncarnation != connection_.incarnation);
  if (!first && !another) {
    ++own_.counts.rejectedStale;
    return;
  }
  connection_.accepter = packet.accepter;
  connection_.incarnation = packet.sourceIncarnation;
  setReachable(true);
  if (another) return sendOffer();
  std::vector<Address> all = targets();
  if (std::find(all.begin(), all.end(), from) != all.end()) connection_.address = from;
  createForOffer();
}

void Peer::createForOffer() {
  connection_.id = own_.newConnection(id_);
  connection_.dialled = true;
  base::Result<QueuePairEnd> made = own_.queuePairs.create(connection_.id, id_);
  if (!made) {
    own_.forgetConnection(connection_.id);
    return failDial(Refusal::local, made.error().sentence());
  }
  connection_.end = *made;
  state_ = State::offer;
  tries_ = 0;
  bounced_.clear();
  sendOffer();
}

void Peer::sendOffer() {
  sendOnConnection(PacketKind::offer);
  if (tries_ > 0) ++own_.counts.packetsRepeated;
  retryAfter(tries_++);
}

void Peer::answered(const Packet& packet, const Address& from) {
  if (state_ == State::up && connection_.dialled && isCurrent(packet)) {
    heard(packet);
    sendOnConnection(PacketKind::confirm);
    ++own_.counts.packetsRepeated;
    return;
  }
  if (isCurrent(packet) && state_ != State::offer) return;  // nonsense: this side has accepted
  // The dialling side's nonce alone says that it is the answer to this dial: a challenge that came
  // twice may have left another nonce of the accepting side here than the one it accepted.
  if (state_ != State::offer || packet.dialler != connection_.dialler) {
    return notThere(packet, from);
  }
  connection_.accepter = packet.accepter;
  connection_.incarnation = packet.sourceIncarnation;
  connection_.heard = packet.counter;
  if (packet.end.engineVersion != connection_.end.engineVersion) {
    return failDial(Refusal::protocol, nameOf(own_.options.self) + " speaks engine version " +
                                           std::to_string(connection_.end.engineVersion) + ", " +
                                           nameOf(id_) + " version " +
                                           std::to_string(packet.end.engineVersion));
  }
  base::Result<void> connected = own_.queuePairs.connect(connection_.id, packet.end);
  if (!connected) return failDial(Refusal::local, connected.error().sentence());
  generation_++;
  sendOnConnection(PacketKind::confirm);
  becomeUp();
}

void Peer::refused(const Packet& packet) {
  if (probe_ && packet.dialler == *probe_) {
    probe_.reset();
    setReachable(packet.reason == Refusal::crossed);
    return;
  }
  bool dials = state_ == State::hello || state_ == State::offer;
  if (!dials || packet.dialler != connection_.dialler) {
    ++own_.counts.rejectedStale;
    return;
  }
  std::string text = whereabouts(connection_.address) + " refuses: " + packet.text;
  if (packet.reason != Refusal::crossed) return failDial(packet.reason, text, false);
  notBefore_ = own_.now + own_.backOff(kCrossedTries);
  if (state_ == State::hello) {
    state_ = State::idle;
    retryAt_ = notBefore_;
  } else {
    takeDown(text, false);
  }
}

void Peer::refusedUnproved(const Packet& packet) {
  bool believed = state_ == State::hello && packet.dialler == connection_.dialler &&
                  packet.reason == Refusal::key;
  if (believed) unproved_ = packet.text.empty() ? "another cluster key" : packet.text;
}

bool Peer::unreachable(const Address& address, int code) {
  if (contestedUntil_ && address == connection_.address) {
    takeDown("another life of " + whereabouts(waiting_->from) + " dials, and nothing listens at " +
                 address.text() + " any more",
             false);
    return true;
  }
  if (!bouncesOff(address)) return false;
  failDial(Refusal::timeout, unreachableText(address, code), false);
  return true;
}

/// Notes it. Whether a dial can be given up: nothing gets through to any address that it tries,
/// which is one alone once the node has answered from there.
bool Peer::bouncesOff(const Address& address) {
  std::vector<Address> tried;
  if (state_ == State::hello) tried = targets();
  if (state_ == State::offer) tried = {connection_.address};
  if (std::find(tried.begin(), tried.end(), address) == tried.end()) return false;
  bounced_[address]++;
  return std::all_of(tried.begin(), tried.end(),
                     [&](const Address& each) { return bounced_[each] >= kBouncesToBelieve; });
}

std::string Peer::unreachableText(const Address& address, int code) const {
  if (code == ECONNREFUSED) {
    return "nothing listens at " + address.text() + "; is " + nameOf(id_) + " running there?";
  }
  std::string text = whereabouts(address) + " cannot be reached: ";
  if (code != EAFNOSUPPORT) return text + base::errorName(code);
  std::string theirs = address.isIpv4() ? "IPv4" : "IPv6";
  std::string ours = address.isIpv4() ? "IPv6" : "IPv4";
  return text + "this is an " + theirs + " address, and " + nameOf(own_.options.self) +
         " listens at " + own_.options.listen + ", which is for " + ours +
         " alone; listen at [::]:PORT, which serves both, or name an " + ours + " address of " +
         nameOf(id_);
}

void Peer::failDial(Refusal why, const std::string& text, bool tellFar) {
  wish_.reset();
  if (why == Refusal::timeout) setReachable(false);
  if (state_ == State::hello) state_ = State::idle;
  if (state_ == State::offer) takeDown(text, tellFar);
  probeAt_ = own_.now + own_.options.discovery;
  own_.observer.dialFailed(id_, why, text);
}

std::string Peer::timeoutText() const {
  std::string within = " within " + milliseconds(wish_->deadline - wish_->since);
  switch (state_) {
    case State::offer:
      return whereabouts(connection_.address) + " did not answer the offer of a queue pair" +
             within;
    case State::answered:
      return whereabouts(connection_.address) + " dialled, but did not confirm" + within;
    case State::closing: return "the last connection to " + nameOf(id_) + " did not close" + within;
    case State::hello:
      if (targets().empty()) return "no address of " + nameOf(id_) + " was found" + within;
      return "no answer from " + whereabouts(connection_.address) + within;
    case State::idle:
    case State::up: break;
  }
  return nameOf(id_) + " dialled at the same time and goes first, but did not come" + within;
}

/// Asks an unconnected node whether it is there. What it answers costs it nothing.
void Peer::probe() {
  if (own_.options.discovery.count() == 0 || addresses_.empty() || own_.now < probeAt_) return;
  if (probe_ && ++probesUnanswered_ >= kProbesToMiss) setReachable(false);
  probe_ = own_.newNonce();
  connection_ = {};
  Packet hello = make(PacketKind::hello);
  hello.counter = 0;
  hello.dialler = *probe_;
  hello.text = own_.options.cluster;
  for (const Address& address : addresses_) own_.send(address, hello);
  probeAt_ = own_.now + own_.options.discovery;
}

}  // namespace verbena::connect
