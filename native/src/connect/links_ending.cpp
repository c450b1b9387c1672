// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "base/survive.h"
#include "connect/links.h"

namespace verbena::connect {

/// Answers a packet about a link that this side does not have.
void Links::notThere(const LinkRef& ref) {
  ++own_.counts.rejectedStale;
  auto said = std::find_if(goodbyes_.begin(), goodbyes_.end(),
                           [&](const Goodbye& each) { return each.ref == ref; });
  send(PacketKind::close, ref, said == goodbyes_.end() ? "no such link" : said->reason);
}

void Links::withdraw(LinkName name, const std::string& reason) {
  auto found = links_.find(name);
  if (found == links_.end() || found->second.state != State::offered) return;
  takeDown(found->second, reason, true);
}

void Links::close(LinkId id, const std::string& reason) {
  if (Link* link = find(id)) takeDown(*link, reason, true);
}

void Links::closeWanted(const Packet& packet) {
  LinkRef ref = packet.link.mirrored();
  send(PacketKind::closed, ref);
  if (Link* link = find(ref)) takeDown(*link, nameOf(peer_) + " closed: " + packet.text, false);
}

void Links::closedThere(const Packet& packet) {
  LinkRef ref = packet.link.mirrored();
  std::erase_if(goodbyes_, [&](const Goodbye& each) { return each.ref == ref; });
}

void Links::sessionEnds(const std::string& reason) {
  goodbyes_.clear();
  for (auto& each : links_) {
    Link& link = each.second;
    link.waiting.reset();
    base::survive([&] { takeDown(link, reason, false); });
  }
}

void Links::takeDown(Link& link, const std::string& reason, bool tellFar) {
  if (!isLive(link)) return;
  bool wasUp = link.state == State::up;
  link.state = State::closing;
  if (tellFar) base::survive([&] { sayGoodbye(link.ref, reason); });
  base::survive([&] { wishes_.again(link.ref.name); });
  if (wasUp) {
    ++own_.counts.linksLost;
    base::survive([&] { own_.observer.down(link.id, peer_, link.ref.name, reason); });
  } else {
    base::survive([&] { own_.observer.notUp(link.id, link.ref.name, reason); });
  }
  own_.links.close(link.id, reason);  // whatever failed: its end is what all wait for
}

void Links::sayGoodbye(const LinkRef& ref, const std::string& reason) {
  goodbyes_.push_back({ref, reason, own_.now, own_.now + own_.backOff(0), 1});
  send(PacketKind::close, ref, reason);
}

void Links::ownerClosed(LinkId id) {
  Link* link = find(id);
  if (link == nullptr || link->state != State::closing) return;  // it was not to be closed
  own_.forgetLink(id);
  base::survive([&] { own_.observer.gone(id, peer_); });
  std::optional<Packet> waiting = std::move(link->waiting);
  Time since = link->waitingSince;
  links_.erase(link->ref.name);
  if (waiting) takeWaiting(*waiting, since);
}

/// The session is still the one of the OFFER: those that wait end with it.
void Links::takeWaiting(const Packet& packet, Time since) {
  LinkRef ref = packet.link.mirrored();
  if (own_.closing) {
    decline(ref, Refusal::closing, nameOf(own_.options.self) + " closes");
  } else if (own_.now - since < own_.options.deadAfter) {
    accept(packet);
  }
}

void Links::timer() {
  for (auto& [name, link] : links_) linkTimer(link);
  goodbyeTimer();
}

void Links::linkTimer(Link& link) {
  if (link.state == State::answered && own_.now >= link.answeredSince + own_.options.deadAfter) {
    return takeDown(link, nameOf(peer_) + " offered, but did not confirm", true);
  }
  if (own_.now < link.retryAt) return;
  if (link.state == State::answered) sendEnd(PacketKind::answer, link);
  if (link.state != State::offered) return;
  // Where the far side has lost the session an OFFER would be the beginning of one: a PING is told.
  if (session_->open) own_.send(session_->address, session_->make(PacketKind::ping));
  sendEnd(PacketKind::offer, link);
}

/// A far side that says nothing is noticed by its silence; here nobody waits for it.
void Links::goodbyeTimer() {
  std::erase_if(goodbyes_, [this](const Goodbye& each) {
    return own_.now >= each.since + own_.options.deadAfter;
  });
  for (Goodbye& each : goodbyes_) {
    if (own_.now < each.retryAt) continue;
    send(PacketKind::close, each.ref, each.reason);
    ++own_.counts.packetsRepeated;
    each.retryAt = own_.now + own_.backOff(each.tries++);
  }
}

std::optional<Time> Links::due() const {
  Time at = Time::max();
  for (auto& [name, link] : links_) {
    if (link.state == State::offered || link.state == State::answered) {
      at = std::min(at, link.retryAt);
    }
    if (link.state == State::answered) {
      at = std::min(at, link.answeredSince + own_.options.deadAfter);
    }
  }
  for (const Goodbye& each : goodbyes_) {
    at = std::min({at, each.retryAt, each.since + own_.options.deadAfter});
  }
  if (at == Time::max()) return std::nullopt;
  return at;
}

void Links::forgive() {
  Time since = own_.now - own_.options.heartbeat;
  for (auto& [name, link] : links_) link.answeredSince = std::max(link.answeredSince, since);
}

}  // namespace verbena::connect
