// SPDX-License-Identifier: Apache-2.0
//
// SHMEM_THREAD_MULTIPLE: threads of all PEs put, get and count, and make and use teams, all at
// once.
#include <shmem.h>
#include <unistd.h>

#include <cstdio>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 30;

long counts[kThreads];
long marks[kThreads][64];
long sums[kThreads][2];

int me, size;

void check(bool holds, const char* what, int thread) {
  if (holds) return;
  std::fprintf(stderr, "PE %d, thread %d: %s is wrong\n", me, thread, what);
  _exit(1);
}

/// Threads of one number have a team, which they use one call at a time.
void run(int thread, shmem_team_t parent) {
  shmem_ctx_t ctx = SHMEM_CTX_INVALID;
  check(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) == 0, "ctx_create", thread);
  int right = (me + 1) % size;
  for (int round = 1; round <= kRounds; round++) {
    shmem_team_t team = SHMEM_TEAM_INVALID;
    check(shmem_team_split_strided(parent, 0, 1, size, nullptr, 0, &team) == 0, "split", thread);
    if (team == SHMEM_TEAM_INVALID) break;
    shmem_atomic_inc(ctx, &counts[thread], right);
    long mark = 1000L * round + me;
    shmem_put(ctx, &marks[thread][me % 64], &mark, 1, right);
    shmem_ctx_quiet(ctx);
    shmem_team_sync(team);
    int left = (me + size - 1) % size;
    check(shmem_g(&marks[thread][left % 64], me) == 1000L * round + left, "a put", thread);
    sums[thread][0] = me + round;
    shmem_sum_reduce(team, &sums[thread][1], &sums[thread][0], 1);
    check(sums[thread][1] == static_cast<long>(size) * (size - 1) / 2 + size * round, "a sum",
          thread);
    shmem_team_sync(team);
    shmem_team_destroy(team);
  }
  shmem_ctx_destroy(ctx);
}

}  // namespace

int main() {
  int provided = 0;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  me = shmem_my_pe();
  size = shmem_n_pes();
  check(provided == SHMEM_THREAD_MULTIPLE, "the thread level", 0);
  std::vector<shmem_team_t> parents(kThreads, SHMEM_TEAM_INVALID);
  for (shmem_team_t& parent : parents)
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, size, nullptr, 0, &parent);
  shmem_barrier_all();
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; i++) threads.emplace_back(run, i, parents[static_cast<size_t>(i)]);
  for (std::thread& thread : threads) thread.join();
  shmem_barrier_all();
  for (long count : counts) check(count == kRounds, "a count", 0);
  for (shmem_team_t parent : parents) shmem_team_destroy(parent);
  shmem_finalize();
  return 0;
}
