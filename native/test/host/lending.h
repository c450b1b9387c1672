// SPDX-License-Identifier: Apache-2.0
//
// An owner of lent memory, and peers that work on it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "../softnic/processes.h"
#include "host/borrower.h"
#include "host/lender.h"

namespace verbena::host::testing {

using softnic::testing::Child;
using softnic::testing::Folders;
using softnic::testing::Line;
using softnic::testing::must;

constexpr size_t kBytes = 1 << 20;
constexpr uint32_t kKey = 0x1234'5678;
constexpr uint8_t kAll = kMayRead | kMayWrite | kMayDoAtomics;

/// What a peer has to be told.
struct Told {
  uint64_t book;
  DeskNumber desk;
  uint64_t address;
};

/// One that lends a megabyte, all of it under one key.
struct Owner {
  explicit Owner(const std::string& folder)
      : lender(must(Lender::open(folder))), segment(lender->allocate(kBytes)) {
    EXPECT_TRUE(lender->lend(kKey, all(), kAll));
  }
  ~Owner() {
    lender->end(kKey);
    segment->remove();
  }
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;

  std::span<std::byte> all() const { return {segment->start(), segment->bytes()}; }
  uint64_t address() const { return reinterpret_cast<uintptr_t>(segment->start()); }
  Told told() { return {lender->name(), lender->openDesk().value(), address()}; }
  /// How many of its bytes have the value.
  size_t count(int value) const {
    return static_cast<size_t>(std::ranges::count(all(), std::byte(value)));
  }

  std::unique_ptr<Lender> lender;
  std::shared_ptr<Segment> segment;
};

inline Borrower peerOf(const Folders& folders, const Told& told) {
  return Borrower::open(folders.path(), told.book, told.desk).value();
}

inline Borrower::Wish wish(const Told& told, uint64_t offset, uint64_t bytes) {
  return {kKey, kMayWrite, told.address + offset, bytes};
}

}  // namespace verbena::host::testing
