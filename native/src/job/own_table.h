// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "job/table.h"

namespace verbena::job {

/// A table in memory of this process.
class OwnTable {
 public:
  explicit OwnTable(uint32_t size)
      : memory_(Table::bytesFor(size) / sizeof(Line)), table_(Table::begin(memory_.data(), size)) {}

  Table& table() { return table_; }
  const Table& table() const { return table_; }

 private:
  struct alignas(64) Line {
    std::array<std::byte, 64> bytes{};
  };

  std::vector<Line> memory_;
  Table table_;
};

}  // namespace verbena::job
