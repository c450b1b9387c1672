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

OwnNode::OwnNode(const ManagerOptions& nodeOptions, Outside& outsideWorld, QueuePairs& owner,
                 Observer& listener, Counts& counters)
    : options(nodeOptions),
      queuePairs(owner),
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

Packet OwnNode::answerTo(const Packet& question, PacketKind kind) const {
  Packet answer;
  answer.kind = kind;
  answer.source = question.destination;
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

ConnectionId OwnNode::newConnection(NodeId peer) {
  outside_.expectEnds(connections_.size() + 1);
  connections_[++lastConnection_] = peer;
  return lastConnection_;
}

std::optional<NodeId> OwnNode::peerOf(ConnectionId id) const {
  auto found = connections_.find(id);
  if (found == connections_.end()) return std::nullopt;
  return found->second;
}

}  // namespace verbena::connect
