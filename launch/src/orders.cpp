// SPDX-License-Identifier: Apache-2.0
#include "orders.h"

#include <algorithm>

#include "job/contract.h"

namespace verbena::launch {
namespace {

bool isGood(const StartOrder& order) {
  auto isRankGood = [&](const RankOrder& rank) {
    return rank.rank < order.size && rank.command < order.commands.size();
  };
  auto hasWords = [](const Command& command) { return !command.words.empty(); };
  return order.size > 0 && order.size <= job::kMostRanks && order.ranks.size() <= order.size &&
         std::all_of(order.commands.begin(), order.commands.end(), hasWords) &&
         std::all_of(order.ranks.begin(), order.ranks.end(), isRankGood);
}

}  // namespace

void StartOrder::put(job::BytesOut& out) const {
  out.text(jobId).text(key).number(size).number(severalHosts).number(bindToCores);
  out.number(static_cast<uint32_t>(readers))
      .number(showsPieces)
      .number(lostAfterSeconds)
      .text(interface);
  out.number(static_cast<uint32_t>(commands.size()));
  for (const Command& command : commands) {
    out.texts(command.words).text(command.folder).texts(command.variables);
  }
  out.number(static_cast<uint32_t>(ranks.size()));
  for (const RankOrder& rank : ranks) out.number(rank.rank).number(rank.command);
}

std::optional<StartOrder> StartOrder::read(std::span<const std::byte> bytes) {
  job::BytesIn in(bytes);
  StartOrder order;
  order.jobId = in.text();
  order.key = in.text();
  order.size = in.number();
  order.severalHosts = in.number() != 0;
  order.bindToCores = in.number() != 0;
  uint32_t readers = in.number();
  order.readers = static_cast<Readers>(readers);
  order.showsPieces = in.number() != 0;
  order.lostAfterSeconds = in.number();
  order.interface = in.text();
  for (uint32_t left = in.number(); left > 0 && in.good(); left--) {
    Command& command = order.commands.emplace_back();
    command.words = in.texts();
    command.folder = in.text();
    command.variables = in.texts();
  }
  for (uint32_t left = in.number(); left > 0 && in.good(); left--) {
    RankOrder& rank = order.ranks.emplace_back();
    rank.rank = in.number();
    rank.command = in.number();
  }
  bool isKnown = readers <= static_cast<uint32_t>(Readers::none);
  if (!in.good() || !isKnown || !isGood(order)) return std::nullopt;
  return order;
}

}  // namespace verbena::launch
