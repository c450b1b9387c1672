// SPDX-License-Identifier: Apache-2.0
#include "connect/own_node.h"

#include <algorithm>

namespace verbena::connect {
namespace {

std::optional<Hmac> readyKey(const std::vector<std::byte>& key) {
  if (key.empty()) return std::nullopt;
  return Hmac(key);
}

Digest secretFrom(Outside& outside) {
  Digest secret;
  outside.fillRandom(secret);
  return secret;
}

}  // namespace

std::string nameOf(NodeId node) {
  return "node " + std::to_string(node);
}

std::string nameOf(NodeId node, const Address& address) {
  return nameOf(node) + " at " + address.text();
}

OwnNode::OwnNode(const ManagerOptions& nodeOptions, Outside& outsideWorld, LinkOwner& owner,
                 Observer& listener, Counts& counters)
    : options(nodeOptions),
      links(owner),
      observer(listener),
      counts(counters),
      key(readyKey(nodeOptions.key)),
      cluster(hashOfCluster(nodeOptions.cluster)),
      challenges(secretFrom(outsideWorld)),
      outside_(outsideWorld) {}

void OwnNode::send(const Address& to, const Packet& packet) {
  ++counts.packetsSent;
  outside_.send(to, encode(packet, key));
}

void OwnNode::sendUnproved(const Address& to, const Packet& packet) {
  ++counts.packetsSent;
  outside_.send(to, encode(packet, std::nullopt));
}

Packet OwnNode::hello(NodeId to, const Nonce& nonce) const {
  Packet hello;
  hello.source = options.self;
  hello.destination = to;
  hello.sourceIncarnation = options.incarnation;
  hello.cluster = cluster;
  hello.dialler = nonce;
  hello.text = options.cluster;
  return hello;
}

Packet OwnNode::answerTo(const Packet& question, PacketKind kind) const {
  Packet answer;
  answer.kind = kind;
  answer.source = question.destination == kAnyNode ? options.self : question.destination;
  answer.destination = question.source;
  answer.sourceIncarnation = options.incarnation;
  answer.destinationIncarnation = question.sourceIncarnation;
  answer.cluster = question.cluster;
  answer.dialler = question.dialler;
  answer.accepter = question.accepter;
  return answer;
}

void OwnNode::refuse(const Address& to, const Packet& question, Refusal why,
                     const std::string& text) {
  Packet refusal = answerTo(question, PacketKind::refuse);
  refusal.reason = why;
  refusal.text = text;
  send(to, refusal);
}

Nonce OwnNode::newNonce() {
  Nonce nonce;
  outside_.fillRandom(nonce);
  nonce[0] |= std::byte{1};  // never all zero
  return nonce;
}

Time OwnNode::backOff(unsigned tries) {
  Time whole = options.firstRetry * (int64_t{1} << std::min(tries, 20U));
  whole = std::min<Time>(whole, options.lastRetry);
  std::byte chance;
  outside_.fillRandom(std::span(&chance, 1));
  return whole * (192 + std::to_integer<int>(chance) / 2) / 256;
}

LinkId OwnNode::newLink(NodeId peer) {
  outside_.expectEnds(linkPeers_.size() + 1);
  linkPeers_[++lastLink_] = peer;
  return lastLink_;
}

std::optional<NodeId> OwnNode::peerOf(LinkId id) const {
  auto found = linkPeers_.find(id);
  if (found == linkPeers_.end()) return std::nullopt;
  return found->second;
}

}  // namespace verbena::connect
