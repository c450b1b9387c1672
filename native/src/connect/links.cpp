// SPDX-License-Identifier: Apache-2.0
#include "connect/links.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/survive.h"

namespace verbena::connect {
namespace {

bool isNoWay(const base::Error& error) {
  return error.code == ENETUNREACH || error.code == ESTALE;
}

Refusal refusalFor(const base::Error& error, Refusal otherwise) {
  return error.code == EPROTO || isNoWay(error) ? Refusal::protocol : otherwise;
}

/// A packet takes few words.
std::string wordsOf(const base::Error& error) {
  return isNoWay(error) && !error.advice.empty() ? error.advice : error.sentence();
}

}  // namespace

Links::State Links::stateOf(LinkName name) const {
  auto found = links_.find(name);
  return found == links_.end() ? State::none : found->second.state;
}

bool Links::wantsSession() const {
  std::vector<LinkName> due = wishes_.due();
  auto isFree = [this](LinkName name) { return !links_.contains(name); };
  return std::any_of(due.begin(), due.end(), isFree);
}

bool Links::needsSession() const {
  auto needs = [](const auto& each) { return isLive(each.second) || each.second.waiting; };
  return !goodbyes_.empty() || std::any_of(links_.begin(), links_.end(), needs);
}

bool Links::isLive(const Link& link) {
  return link.state != State::none && link.state != State::closing;
}

Links::Link* Links::find(const LinkRef& ref) {
  auto found = links_.find(ref.name);
  bool isIt = found != links_.end() && isLive(found->second) && found->second.ref == ref;
  return isIt ? &found->second : nullptr;
}

Links::Link* Links::find(LinkId id) {
  for (auto& [name, link] : links_) {
    if (link.id == id) return &link;
  }
  return nullptr;
}

void Links::send(PacketKind kind, const LinkRef& ref, const std::string& text) {
  Packet packet = session_->make(kind);
  packet.link = ref;
  packet.text = text;
  own_.send(session_->address, packet);
}

/// An OFFER or ANSWER, which is repeated until something comes back.
void Links::sendEnd(PacketKind kind, Link& link) {
  Packet packet = session_->make(kind);
  packet.link = link.ref;
  packet.end = link.end;
  own_.send(session_->address, packet);
  if (kind == PacketKind::offer && !session_->open) session_->offersSent++;
  if (link.tries > 0) ++own_.counts.packetsRepeated;
  link.retryAt = own_.now + own_.backOff(link.tries++);
}

// ---------------------------------------------------------------- this side offers

void Links::offerWished() {
  for (LinkName name : wishes_.due()) {
    if (!links_.contains(name)) offer(name);
  }
}

/// Its place is taken first, so that no end is made which nobody would close.
base::Result<Links::Link*> Links::make(const LinkRef& ref, const LinkEnd* offered) {
  std::map<LinkName, Link> made;
  Link& link = made[ref.name];
  link.ref = ref;
  link.state = ref.ofSender ? State::offered : State::answered;
  link.answeredSince = own_.now;
  link.id = own_.newLink(peer_);
  base::Result<LinkEnd> end =
      own_.links.create({link.id, peer_, ref.name, offered, session_->incarnation});
  if (!end) {
    own_.forgetLink(link.id);
    return end.error();
  }
  link.end = *end;
  links_.merge(made);
  return &link;
}

void Links::offer(LinkName name) {
  base::Result<Link*> made = make({name, ++session_->lastOffered, true}, nullptr);
  if (made) return sendEnd(PacketKind::offer, **made);
  wishes_.fail(name, refusalFor(made.error(), Refusal::local), wordsOf(made.error()));
}

void Links::offerAgain() {
  for (auto& [name, link] : links_) {
    if (link.state == State::offered) sendEnd(PacketKind::offer, link);
  }
}

void Links::answered(const Packet& packet) {
  LinkRef ref = packet.link.mirrored();
  Link* link = ref.ofSender ? find(ref) : nullptr;
  if (link == nullptr) return notThere(ref);
  if (link->state == State::offered) {
    base::Result<void> connected = own_.links.connect(link->id, packet.end);
    if (!connected) {
      const base::Error& error = connected.error();
      std::string text = wordsOf(error);
      base::survive([&] { wishes_.fail(ref.name, refusalFor(error, Refusal::local), text); });
      return takeDown(*link, text, true);
    }
    becomeUp(*link);
  } else {
    ++own_.counts.packetsRepeated;
  }
  send(PacketKind::confirm, ref);
}

void Links::declined(const Packet& packet) {
  LinkRef ref = packet.link.mirrored();
  Link* link = ref.ofSender ? find(ref) : nullptr;
  if (link == nullptr || link->state != State::offered) {
    ++own_.counts.rejectedStale;
    return;
  }
  std::string text = name() + " refuses: " + packet.text;
  bool crossed = packet.reason == Refusal::crossed;
  if (!crossed) base::survive([&] { wishes_.fail(ref.name, packet.reason, text); });
  takeDown(*link, text, false);
  if (crossed) wishes_.giveWay(ref.name);
}

// ---------------------------------------------------------------- the other side offers

void Links::offered(const Packet& packet) {
  LinkRef ref = packet.link.mirrored();
  if (ref.ofSender) return notThere(ref);  // nonsense: this side would have offered it
  if (Link* same = find(ref)) {
    // Otherwise it is late: this side has heard the CONFIRM since.
    if (same->state == State::answered) sendEnd(PacketKind::answer, *same);
    return;
  }
  auto before = session_->accepted.find(ref.name);
  bool isOld = before != session_->accepted.end() && ref.number <= before->second;
  if (isOld) return notThere(ref);
  if (own_.closing) return decline(ref, Refusal::closing, nameOf(own_.options.self) + " closes");
  auto present = links_.find(ref.name);
  if (present == links_.end()) return accept(packet);
  replaceBy(packet, present->second);
}

/// Where both sides offer a link of one name, the offer of the lower id goes first. What is more
/// than an offer has lost its other end.
void Links::replaceBy(const Packet& packet, Link& link) {
  if (link.state == State::offered && own_.options.self < peer_) {
    return decline(packet.link.mirrored(), Refusal::crossed,
                   nameOf(own_.options.self) + " offers this link, too, and goes first");
  }
  link.waiting = packet;
  link.waitingSince = own_.now;
  takeDown(link,
           link.state == State::offered ? "the other side's offer goes first"
                                        : nameOf(peer_) + " has lost its end and offers anew",
           false);
}

void Links::accept(const Packet& packet) {
  LinkRef ref = packet.link.mirrored();
  uint32_t& accepted = session_->accepted[ref.name];
  base::Result<Link*> made = make(ref, &packet.end);
  if (!made) {
    return decline(ref, refusalFor(made.error(), Refusal::closing), wordsOf(made.error()));
  }
  Link& link = **made;
  accepted = ref.number;
  base::Result<void> connected = own_.links.connect(link.id, packet.end);
  if (connected) return sendEnd(PacketKind::answer, link);
  std::string text = wordsOf(connected.error());
  base::survive([&] { decline(ref, refusalFor(connected.error(), Refusal::closing), text); });
  takeDown(link, text, false);
}

void Links::decline(const LinkRef& ref, Refusal why, const std::string& text) {
  Packet packet = session_->make(PacketKind::decline);
  packet.link = ref;
  packet.reason = why;
  packet.text = text;
  own_.send(session_->address, packet);
}

void Links::confirmed(const Packet& packet) {
  LinkRef ref = packet.link.mirrored();
  Link* link = ref.ofSender ? nullptr : find(ref);
  if (link == nullptr) return notThere(ref);
  if (link->state == State::answered) becomeUp(*link);
}

void Links::becomeUp(Link& link) {
  own_.links.ready(link.id);
  link.state = State::up;
  wishes_.fulfil(link.ref.name);
  ++own_.counts.linksMade;
  own_.observer.up({link.id, peer_, link.ref.name, session_->incarnation, link.ref.ofSender,
                    session_->address.text()});
}

}  // namespace verbena::connect
