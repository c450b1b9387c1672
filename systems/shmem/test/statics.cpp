// SPDX-License-Identifier: Apache-2.0
//
// Global and static variables are symmetric: they keep what they had, and every PE reaches those of
// any other.
#include <shmem.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>

long initialized = 4711;
long zero;
uint64_t flag;
std::string text = "made before main";  // of a constructor
long words[1 << 17];                    // a megabyte
static int hidden[3] = {1, 2, 3};
const int constant = 5;

namespace {

int failures = 0;

void check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "PE %d: %s is wrong\n", shmem_my_pe(), what);
  failures++;
}

long& inFunction() {
  static long value = 12;
  return value;
}

/// A process that is forked has its own.
void forked() {
  initialized = 1;
  pid_t child = fork();
  if (child == 0) {
    bool sees = initialized == 1 && hidden[2] == 3;
    initialized = 2;
    _exit(sees && initialized == 2 ? 7 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  check(WIFEXITED(status) && WEXITSTATUS(status) == 7, "what a forked process sees");
  check(initialized == 1, "what a forked process has written");
}

}  // namespace

int main() {
  words[1] = 99;
  shmem_init();
  int me = shmem_my_pe();
  int size = shmem_n_pes();
  int right = (me + 1) % size;
  int left = (me + size - 1) % size;
  check(initialized == 4711 && zero == 0 && hidden[1] == 2 && words[1] == 99, "a former value");
  check(text == "made before main", "an object's former value");
  check(inFunction() == 12, "the former value of a variable in a function");

  int local = 0;
  check(shmem_addr_accessible(&initialized, right) == 1, "a variable's accessibility");
  check(shmem_addr_accessible(&local, right) == 0, "a local variable's accessibility");
  check(shmem_addr_accessible(&constant, right) == 0, "a constant's accessibility");
  check(shmem_ptr(&initialized, me) == &initialized, "the own pointer");
  shmem_barrier_all();

  shmem_long_p(&initialized, me, right);
  shmem_long_p(&inFunction(), 100 + me, right);
  shmem_int_p(&hidden[2], me, right);
  shmem_long_atomic_add(&zero, me, 0);
  shmem_barrier_all();
  check(initialized == left && inFunction() == 100 + left && hidden[2] == left, "what was put");
  check(shmem_long_g(&initialized, right) == me, "what is got");
  if (me == 0) check(zero == static_cast<long>(size) * (size - 1) / 2, "the sum of all");

  constexpr size_t kWords = sizeof words / sizeof *words;
  std::fill(words, words + kWords, me);
  shmem_barrier_all();
  shmem_long_put_signal(words, words + kWords / 2, kWords / 2, &flag, 1, SHMEM_SIGNAL_SET, right);
  shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, 1);
  check(std::all_of(words, words + kWords / 2, [&](long word) { return word == left; }),
        "many words");
  check(std::all_of(words + kWords / 2, words + kWords, [&](long word) { return word == me; }),
        "the words behind them");
  shmem_barrier_all();
  words[0] = me;
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &words[1], &words[0], 1);
  check(words[1] == static_cast<long>(size) * (size - 1) / 2, "a reduction");
  hidden[2] = 3;
  shmem_barrier_all();
  forked();
  shmem_barrier_all();
  check(text == "made before main", "what nobody has written to");
  shmem_finalize();
  check(initialized == 1, "a value behind the end");
  return failures == 0 ? 0 : 1;
}
