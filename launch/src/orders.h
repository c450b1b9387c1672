// SPDX-License-Identifier: Apache-2.0
//
// What the launcher tells the agent of a host to start.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "job/bytes.h"

namespace verbena::launch {

/// A command, and what its ranks start with.
struct Command {
  std::vector<std::string> words;
  std::string folder;
  std::vector<std::string> variables;  ///< "NAME=VALUE", over those of the agent

  friend bool operator==(const Command&, const Command&) = default;
};

/// One rank of a host; those of a host are numbered in this order.
struct RankOrder {
  uint32_t rank = 0;
  uint32_t command = 0;  ///< its index

  friend bool operator==(const RankOrder&, const RankOrder&) = default;
};

/// Which ranks read the standard input.
enum class Readers : uint8_t { first, all, none };

struct StartOrder {
  std::string jobId;
  std::string key;
  uint32_t size = 0;
  bool severalHosts = false;
  bool bindToCores = false;
  Readers readers = Readers::first;
  /// Of one rank, whose output goes on as it is: a question without an end of line is to be seen.
  bool showsPieces = false;
  uint32_t lostAfterSeconds = 0;  ///< the launcher, when nothing is heard of it; 0: never
  std::string interface;          ///< name or network to listen at; empty for any
  std::vector<Command> commands;
  std::vector<RankOrder> ranks;

  void put(job::BytesOut& out) const;
  /// None for bytes that are no order, or of one that cannot be.
  static std::optional<StartOrder> read(std::span<const std::byte> bytes);

  friend bool operator==(const StartOrder&, const StartOrder&) = default;
};

}  // namespace verbena::launch
