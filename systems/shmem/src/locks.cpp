// SPDX-License-Identifier: Apache-2.0
//
// Locks. Those that want one draw tickets, and have their turns in that order. The word in the
// memory of PE 0 says in its upper half which ticket is drawn next, and in its lower one whose turn
// it is. A holder elsewhere keeps its ticket in the word in its own memory, and PE 0 has a bit.
#include "calls.h"
#include "shmem.h"
#include "waiting.h"
#include "world.h"

using namespace verbena::shmem;

namespace {

constexpr int kHome = 0;
constexpr uint64_t kTicket = uint64_t{1} << 32;  // the upper half wraps around by itself
constexpr uint64_t kAtHome = uint64_t{1} << 31;  // PE 0 has it
constexpr uint64_t kTurns = kAtHome - 1;

/// Of the tickets' numbers as many bits count as turns have.
uint64_t turnOf(uint64_t word) {
  return word & kTurns;
}
uint64_t nextOf(uint64_t word) {
  return word >> 32 & kTurns;
}

uint64_t* wordOf(long* lock) {
  static_assert(sizeof *lock == sizeof(uint64_t));
  return reinterpret_cast<uint64_t*>(lock);
}

bool isHome() {
  return static_cast<int>(world.me) == kHome;
}

void keep(long* lock, uint64_t ticket) {
  if (isHome()) {
    calls::atomic_or(SHMEM_CTX_DEFAULT, wordOf(lock), kAtHome, kHome);
  } else {
    __atomic_store_n(wordOf(lock), kTicket | ticket, __ATOMIC_RELAXED);
  }
}

/// What is to be added to the word so that the next one has its turn: nobody else changes the lower
/// half. Ends the process if it is not this PE's turn.
uint64_t handOver(long* lock) {
  uint64_t own = __atomic_load_n(wordOf(lock), __ATOMIC_RELAXED);
  if ((own & (isHome() ? kAtHome : kTicket)) == 0) refuse("a lock that this PE has not set");
  if (!isHome()) __atomic_store_n(wordOf(lock), 0, __ATOMIC_RELAXED);
  uint64_t turn = turnOf(own);
  return ((turn + 1) & kTurns) - (isHome() ? turn | kAtHome : turn);
}

}  // namespace

extern "C" {

void shmem_set_lock(long* lock) {
  uint64_t before = calls::atomic_fetch_add(SHMEM_CTX_DEFAULT, wordOf(lock), kTicket, kHome);
  uint64_t ticket = nextOf(before);
  if (turnOf(before) != ticket) {
    awaitUntil([&] {
      return turnOf(calls::atomic_fetch(SHMEM_CTX_DEFAULT, wordOf(lock), kHome)) == ticket;
    });
  }
  keep(lock, ticket);
}

int shmem_test_lock(long* lock) {
  uint64_t word = calls::atomic_fetch(SHMEM_CTX_DEFAULT, wordOf(lock), kHome);
  bool isFree = turnOf(word) == nextOf(word);
  if (isFree && calls::atomic_compare_swap(SHMEM_CTX_DEFAULT, wordOf(lock), word, word + kTicket,
                                           kHome) == word) {
    keep(lock, nextOf(word));
    return 0;
  }
  lookedInVain();
  return 1;
}

/// What was put under the lock is there before the next one has it.
void shmem_clear_lock(long* lock) {
  shmem_quiet();
  calls::atomic_add(SHMEM_CTX_DEFAULT, wordOf(lock), handOver(lock), kHome);
}
}
