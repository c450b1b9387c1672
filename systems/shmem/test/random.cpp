// SPDX-License-Identifier: Apache-2.0
//
// shmem-random [SEED]: a random program, of which every PE knows what all of them do. So each says
// at every barrier what has to be in its memory. Uses the standard's interface alone.
#include <shmem.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace {

constexpr size_t kWords = 96;
constexpr int kRounds = 60;
constexpr int kMostSteps = 12;

enum class Kind : int { put, p, put_nbi, iput, put_signal, add, fetch_add, xor_, swap, kinds };

/// What one PE does to another one's words. Between two barriers no two PEs touch a word but by
/// additions, which may come in any order.
struct Step {
  Kind kind;
  int by;
  int at;
  size_t from;   ///< the first word
  size_t count;  ///< words
  uint64_t value;
};

using Memory = std::vector<std::vector<uint64_t>>;  // by PE

/// The words of a PE are divided: the first half each other PE has a part of, which it alone writes
/// to; to the second half all add.
struct Round {
  std::vector<Step> steps;

  Round(std::mt19937_64& random, int size) {
    auto below = [&](uint64_t bound) { return random() % bound; };
    auto part = kWords / 2 / static_cast<size_t>(size);
    for (int by = 0; by < size; by++) {
      for (uint64_t left = below(kMostSteps + 1); left > 0; left--) {
        Step step{static_cast<Kind>(below(static_cast<uint64_t>(Kind::kinds))),
                  by,
                  static_cast<int>(below(static_cast<uint64_t>(size))),
                  0,
                  1,
                  random()};
        bool isAdded = step.kind == Kind::add || step.kind == Kind::fetch_add;
        if (isAdded) {
          step.from = kWords / 2 + below(kWords / 2);
        } else {
          step.from = static_cast<size_t>(by) * part + below(part);
          size_t room = static_cast<size_t>(by + 1) * part - step.from;
          bool isOne = step.kind == Kind::p || step.kind == Kind::xor_ || step.kind == Kind::swap;
          step.count = isOne ? 1 : 1 + below(room);
        }
        steps.push_back(step);
      }
    }
  }
};

uint64_t valueAt(const Step& step, size_t i) {
  return step.value + 1000003 * i;
}

void apply(const Step& step, Memory& memory) {
  auto& words = memory[static_cast<size_t>(step.at)];
  for (size_t i = 0; i < step.count; i++) {
    uint64_t& word = words[step.from + i];
    switch (step.kind) {
      case Kind::add:
      case Kind::fetch_add: word += step.value; break;
      case Kind::xor_: word ^= step.value; break;
      default: word = valueAt(step, i);
    }
  }
}

/// What this PE has put is there in its order: it goes to the same PE behind a fence.
void execute(const Step& step, uint64_t* words, uint64_t* signal) {
  std::vector<uint64_t> values;
  for (size_t i = 0; i < step.count; i++) values.push_back(valueAt(step, i));
  uint64_t* to = words + step.from;
  shmem_fence();
  switch (step.kind) {
    case Kind::put: shmem_uint64_put(to, values.data(), step.count, step.at); break;
    case Kind::p: shmem_uint64_p(to, values[0], step.at); break;
    case Kind::put_nbi: shmem_uint64_put_nbi(to, values.data(), step.count, step.at); break;
    case Kind::iput: shmem_uint64_iput(to, values.data(), 1, 1, step.count, step.at); break;
    case Kind::put_signal:
      shmem_uint64_put_signal(to, values.data(), step.count, signal, 1, SHMEM_SIGNAL_ADD, step.at);
      break;
    case Kind::add: shmem_uint64_atomic_add(to, step.value, step.at); break;
    case Kind::fetch_add: shmem_uint64_atomic_fetch_add(to, step.value, step.at); break;
    case Kind::xor_:
      shmem_quiet();  // atomics are not ordered with puts
      shmem_uint64_atomic_xor(to, step.value, step.at);
      break;
    case Kind::swap:
      shmem_quiet();
      shmem_uint64_atomic_swap(to, step.value, step.at);
      break;
    case Kind::kinds: break;
  }
  if (step.kind == Kind::put_nbi) shmem_quiet();  // the values go with this call
}

}  // namespace

int main(int count, char** words) {
  shmem_init();
  int me = shmem_my_pe();
  int size = shmem_n_pes();
  uint64_t seed = count > 1 ? std::strtoull(words[1], nullptr, 10) : 1;
  auto* own = static_cast<uint64_t*>(shmem_calloc(kWords, sizeof(uint64_t)));
  auto* signal = static_cast<uint64_t*>(shmem_calloc(1, sizeof(uint64_t)));
  Memory expected(static_cast<size_t>(size), std::vector<uint64_t>(kWords));
  std::vector<uint64_t> signals(static_cast<size_t>(size));
  std::mt19937_64 random(seed);
  for (int number = 0; number < kRounds; number++) {
    Round round(random, size);
    for (const Step& step : round.steps) {
      apply(step, expected);
      if (step.kind == Kind::put_signal) signals[static_cast<size_t>(step.at)]++;
      if (step.by == me) execute(step, own, signal);
    }
    shmem_barrier_all();
    auto other = static_cast<int>(random() % static_cast<uint64_t>(size));
    std::vector<uint64_t> got(kWords);
    shmem_uint64_get(got.data(), own, kWords, other);
    bool holds =
        got == expected[static_cast<size_t>(other)] && *signal == signals[static_cast<size_t>(me)];
    for (size_t i = 0; i < kWords; i++)
      holds = holds && own[i] == expected[static_cast<size_t>(me)][i];
    if (!holds) {
      std::fprintf(stderr, "PE %d: seed %llu, round %d: memory is not as it has to be\n", me,
                   static_cast<unsigned long long>(seed), number);
      shmem_global_exit(1);
    }
    shmem_barrier_all();
  }
  shmem_finalize();
  return 0;
}
