// SPDX-License-Identifier: Apache-2.0
//
// Takes the memory away from a thread, or from all.
#pragma once

#include <gtest/gtest.h>

#include <atomic>

namespace verbena::softnic::testing {

/// Whether it can be done: Clang's ThreadSanitizer has a `new` that no program replaces.
bool canRunOut();

/// Tests that take memory away.
template <typename Base>
class OfScarceMemory : public Base {
 protected:
  void SetUp() override {
    if (!canRunOut()) GTEST_SKIP() << "this program's `new` is the sanitizer's";
  }
};

/// How many pieces of memory the thread still gets from `new`; -1: any number.
extern thread_local int piecesLeft;
/// The same of all threads together.
extern std::atomic<int> piecesLeftToAll;

}  // namespace verbena::softnic::testing
