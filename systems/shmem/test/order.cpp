// SPDX-License-Identifier: Apache-2.0
//
// What is seen in which order: put, fence and put; put, quiet and atomic; put with signal;
// barriers; atomics of all PEs.
#include <shmem.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

int me, size, right, left;

void check(bool holds, const char* what, long round) {
  if (holds) return;
  std::fprintf(stderr, "PE %d: %s is wrong in round %ld\n", me, what, round);
  _exit(1);
}

constexpr size_t kWords = 500;
/// Fewer where every operation goes by a device.
long rounds = 300;

/// The right neighbour reads what was put as soon as it is told, and says so before the next round.
template <typename Tell>
void passOn(const char* what, Tell tell) {
  auto* there = static_cast<long*>(shmem_calloc(kWords, sizeof(long)));
  auto* flags = static_cast<uint64_t*>(shmem_calloc(2, sizeof(uint64_t)));
  std::vector<long> own(kWords);
  for (long round = 1; round <= rounds; round++) {
    std::fill(own.begin(), own.end(), round);
    tell(there, own.data(), &flags[0], static_cast<uint64_t>(round));
    std::fill(own.begin(), own.end(), -1);  // it may be used again
    shmem_uint64_wait_until(&flags[0], SHMEM_CMP_GE, static_cast<uint64_t>(round));
    check(std::all_of(there, there + kWords, [&](long word) { return word == round; }), what,
          round);
    shmem_uint64_p(&flags[1], static_cast<uint64_t>(round), left);
    shmem_uint64_wait_until(&flags[1], SHMEM_CMP_GE, static_cast<uint64_t>(round));
  }
  shmem_barrier_all();
  shmem_free(flags);
  shmem_free(there);
}

/// A signal that is set while others add to it has been set. Of two hosts the one that sets it has
/// mapped it, and others have not.
void sets() {
  auto* there = static_cast<long*>(shmem_calloc(1, sizeof(long)));
  auto* signal = static_cast<uint64_t*>(shmem_calloc(1, sizeof(uint64_t)));
  constexpr int kAdds = 8;
  constexpr int kShift = 32;
  for (long round = 1; round <= rounds; round++) {
    long own = round;
    if (me == 1 % size) {
      auto value = static_cast<uint64_t>(round) << kShift;
      shmem_long_put_signal(there, &own, 1, signal, value, SHMEM_SIGNAL_SET, 0);
    } else {
      for (int i = 0; i < kAdds; i++)
        shmem_long_put_signal(there, &own, 1, signal, 1, SHMEM_SIGNAL_ADD, 0);
    }
    shmem_barrier_all();
    if (me == 0) check(static_cast<long>(*signal >> kShift) == round, "a signal's value", round);
    shmem_barrier_all();
  }
  shmem_free(signal);
  shmem_free(there);
}

/// More gets than are under way at a time, of several PEs.
void gets() {
  constexpr size_t kGets = 200;
  auto* there = static_cast<long*>(shmem_calloc(kGets, sizeof(long)));
  for (size_t i = 0; i < kGets; i++) there[i] = static_cast<long>(i) * 100 + me;
  shmem_barrier_all();
  std::vector<long> found(kGets);
  for (size_t i = 0; i < kGets; i++)
    shmem_long_get_nbi(&found[i], &there[i], 1, static_cast<int>(i) % size);
  shmem_quiet();
  for (size_t i = 0; i < kGets; i++) {
    auto from = static_cast<long>(i) % size;
    check(found[i] == static_cast<long>(i) * 100 + from, "a get of many", static_cast<long>(i));
  }
  shmem_barrier_all();
  shmem_free(there);
}

void barriers() {
  auto* count = static_cast<long*>(shmem_calloc(1, sizeof(long)));
  for (long round = 1; round <= rounds; round++) {
    shmem_long_atomic_inc(count, (me + static_cast<int>(round)) % size);
    shmem_barrier_all();
    check(*count == round, "a barrier", round);
    check(shmem_long_g(count, right) == round, "a barrier", round);
    shmem_sync_all();
  }
  shmem_free(count);
}

void contention() {
  auto* words = static_cast<long*>(shmem_calloc(3, sizeof(long)));
  auto* bits = static_cast<unsigned*>(shmem_calloc(2, sizeof(unsigned)));
  for (long round = 0; round < rounds; round++) {
    shmem_long_atomic_add(&words[0], 1, 0);
    long before = shmem_long_atomic_fetch(&words[1], 0);
    while (true) {
      long found = shmem_long_atomic_compare_swap(&words[1], before, before + 1, 0);
      if (found == before) break;
      before = found;
    }
    // Neighbours in the same 8 bytes.
    shmem_uint_atomic_inc(&bits[me % 2], 0);
  }
  shmem_barrier_all();
  if (me == 0) {
    check(words[0] == rounds * size, "the sum of all", words[0]);
    check(words[1] == rounds * size, "the sum by swaps", words[1]);
    check(bits[0] + bits[1] == static_cast<unsigned>(rounds * size), "the sum of halves", bits[0]);
  }
  shmem_free(bits);
  shmem_free(words);
}

void locks() {
  auto* lock = static_cast<long*>(shmem_calloc(1, sizeof(long)));
  auto* words = static_cast<long*>(shmem_calloc(2, sizeof(long)));
  for (long round = 0; round < rounds / 10; round++) {
    if (round % 2 == 0) {
      shmem_set_lock(lock);
    } else {
      while (shmem_test_lock(lock) != 0) continue;
    }
    // Two words that are changed together, at the last PE.
    long first = shmem_long_g(&words[0], size - 1);
    check(shmem_long_g(&words[1], size - 1) == -first, "what a lock guards", round);
    shmem_long_p(&words[0], first + 1, size - 1);
    shmem_long_p(&words[1], -first - 1, size - 1);
    shmem_clear_lock(lock);
  }
  shmem_barrier_all();
  if (me == size - 1) check(words[0] == rounds / 10 * size, "the count under a lock", words[0]);
  shmem_barrier_all();
  shmem_free(words);
  shmem_free(lock);
}

/// Those that wait for a lock get it in turn: PE 0 has it until all others wait, one behind
/// another.
void turns() {
  auto* lock = static_cast<long*>(shmem_calloc(1, sizeof(long)));
  auto* next = static_cast<long*>(shmem_calloc(1, sizeof(long)));
  for (int first = 1; first <= 2; first++) {  // of the other PEs, or another one
    int turn = me == 0 ? 0 : 1 + (me - 1 + first) % (size - 1);
    if (me == 0) {
      *next = 0;
      check(shmem_test_lock(lock) == 0, "a free lock", first);
    }
    shmem_barrier_all();
    check(shmem_test_lock(lock) != 0, "a lock that is set", first);
    shmem_barrier_all();
    if (me == 0) {
      for (int pe = 1; pe < size; pe++) {
        long before = *lock;
        shmem_long_p(next, pe, 0);
        shmem_long_wait_until(lock, SHMEM_CMP_NE, before);  // one more waits
      }
      shmem_clear_lock(lock);
    } else {
      while (shmem_long_g(next, 0) != turn) continue;
      shmem_set_lock(lock);
      long had = shmem_long_atomic_fetch_add(next, 1, 0);
      check(had - (size - 1) == turn - 1, "whose turn it is", had);
      shmem_clear_lock(lock);
    }
    shmem_barrier_all();
  }
  shmem_free(next);
  shmem_free(lock);
}

/// Both halves of the word wrap around.
void manyTurns() {
  auto* lock = static_cast<long*>(shmem_calloc(1, sizeof(long)));
  auto* words = static_cast<long*>(shmem_calloc(1, sizeof(long)));
  constexpr uint32_t kAlmost = UINT32_MAX - 5;
  if (me == 0) *lock = static_cast<long>(uint64_t{kAlmost} << 32 | (kAlmost & INT32_MAX));
  shmem_barrier_all();
  for (int i = 0; i < 10; i++) {
    shmem_set_lock(lock);
    shmem_long_p(words, shmem_long_g(words, 0) + 1, 0);
    shmem_clear_lock(lock);
  }
  shmem_barrier_all();
  if (me == 0) check(*words == 10L * size, "the count of a lock that many have had", *words);
  shmem_barrier_all();
  shmem_free(words);
  shmem_free(lock);
}

}  // namespace

int main() {
  shmem_init();
  me = shmem_my_pe();
  size = shmem_n_pes();
  right = (me + 1) % size;
  left = (me + size - 1) % size;
  void* probe = shmem_malloc(1);
  for (int pe = 0; pe < size; pe++) {
    if (shmem_ptr(probe, pe) == nullptr) rounds = 60;  // if it is so at one PE it is at all
  }
  shmem_free(probe);
  passOn("a put behind a fence", [](long* there, const long* own, uint64_t* flag, uint64_t round) {
    shmem_long_put(there, own, kWords, right);
    shmem_fence();
    shmem_uint64_p(flag, round, right);
  });
  passOn("a put behind quiet", [](long* there, const long* own, uint64_t* flag, uint64_t) {
    shmem_long_put(there, own, kWords, right);
    shmem_quiet();
    shmem_uint64_atomic_inc(flag, right);
  });
  passOn("a put with a signal", [](long* there, const long* own, uint64_t* flag, uint64_t round) {
    shmem_long_put_signal(there, own, kWords, flag, round, SHMEM_SIGNAL_SET, right);
  });
  passOn("a put that adds to a signal", [](long* there, const long* own, uint64_t* flag, uint64_t) {
    shmem_long_put_signal(there, own, kWords, flag, 1, SHMEM_SIGNAL_ADD, right);
  });
  sets();
  gets();
  barriers();
  contention();
  locks();
  if (size > 1) turns();
  manyTurns();
  shmem_finalize();
  return 0;
}
