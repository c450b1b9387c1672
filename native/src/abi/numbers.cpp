// SPDX-License-Identifier: Apache-2.0
#include "abi/numbers.h"

#include <stdexcept>
#include <string>

namespace verbena::abi {

static_assert(VBN_REFUSED_LOCAL == static_cast<uint32_t>(connect::Refusal::local));

namespace {

uint32_t toNumber(node::News::Kind kind) {
  switch (kind) {
    case node::News::Kind::up: return VBN_NEWS_UP;
    case node::News::Kind::down: return VBN_NEWS_DOWN;
    case node::News::Kind::dialFailed: return VBN_NEWS_DIAL_FAILED;
    case node::News::Kind::gone: return VBN_NEWS_GONE;
  }
  return 0;
}

/// Programs whose ids have a sign find theirs again.
std::string withSign(uint32_t number) {
  auto given = static_cast<int32_t>(number);
  return std::to_string(number) + (given < 0 ? " (or " + std::to_string(given) + ")" : "");
}

connect::NodeId atMost(connect::NodeId most, uint32_t number) {
  if (number <= most) return number;
  throw std::invalid_argument("the id of the node is " + withSign(number) + "; it may be 0 to " +
                              std::to_string(most));
}

}  // namespace

connect::NodeId nodeId(uint32_t number) {
  return atMost(connect::kMostNode, number);
}

connect::NodeId givenId(uint32_t number) {
  return atMost(connect::kMostGiven, number);
}

vbn_news toC(const node::News& news) {
  vbn_news out{};
  out.kind = toNumber(news.kind);
  out.link = news.link;
  out.incarnation = news.incarnation;
  out.peer = news.peer;
  out.dialled = news.dialled ? 1 : 0;
  out.refusal = static_cast<uint32_t>(news.refusal);
  out.service = news.name.service;
  copyText(out.text, news.text);
  return out;
}

}  // namespace verbena::abi
