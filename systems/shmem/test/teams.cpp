// SPDX-License-Identifier: Apache-2.0
//
// Teams, contexts of teams, and collectives with each of their types, against what each PE can
// compute by itself.
#include <shmem.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "types.h"

namespace {

int me, size;

void check(bool holds, const char* what, const char* type) {
  if (holds) return;
  std::fprintf(stderr, "PE %d: %s of %s is wrong\n", me, what, type);
  _exit(1);
}

/// Few, and so many that members share the work.
constexpr size_t kCounts[] = {1, 7, 3000};
constexpr size_t kMost = 3000;

template <typename T>
T mark(int pe, size_t i) {
  return static_cast<T>(1 + (static_cast<size_t>(pe) * 5 + i) % 3);
}

template <typename T>
T* symmetric(size_t count) {
  auto* memory = static_cast<T*>(shmem_calloc(count, sizeof(T)));
  if (memory == nullptr) shmem_global_exit(2);
  return memory;
}

/// What one that combines all members' elements has to find, for elements that mark() has made.
template <typename T, typename Combine>
bool isAll(shmem_team_t team, const T* dest, size_t count, Combine combine) {
  for (size_t i = 0; i < count; i++) {
    T expected{};
    for (int pe = 0; pe < shmem_team_n_pes(team); pe++) {
      T each = mark<T>(shmem_team_translate_pe(team, pe, SHMEM_TEAM_WORLD), i);
      expected = pe == 0 ? each : static_cast<T>(combine(expected, each));
    }
    if (dest[i] != expected) return false;
  }
  return true;
}

#define REDUCE(NAME, T, OP, COMBINE)                                                             \
  for (size_t count : kCounts) {                                                                 \
    for (size_t i = 0; i < count; i++) source[i] = mark<T>(me, i);                               \
    check(shmem_##NAME##_##OP##_reduce(team, dest, source, count) == 0, #OP, #NAME);             \
    check(isAll(team, dest, count, [](T a, T b) { return COMBINE; }), #OP, #NAME);               \
    check(shmem_##NAME##_##OP##_reduce(team, source, source, count) == 0, #OP, #NAME);           \
    check(isAll(team, source, count, [](T a, T b) { return COMBINE; }), #OP " in place", #NAME); \
    shmem_team_sync(team);                                                                       \
  }
#define ARITHMETIC(NAME, TYPE)              \
  {                                         \
    using T = TYPE;                         \
    T* source = symmetric<T>(kMost);        \
    T* dest = symmetric<T>(kMost);          \
    if (team != SHMEM_TEAM_INVALID) {       \
      REDUCE(NAME, T, sum, a + b)           \
      REDUCE(NAME, T, prod, a* b)           \
      REDUCE(NAME, T, max, (a < b ? b : a)) \
      REDUCE(NAME, T, min, (b < a ? b : a)) \
    }                                       \
    shmem_free(dest);                       \
    shmem_free(source);                     \
  }
#define BITS(NAME, TYPE)              \
  {                                   \
    using T = TYPE;                   \
    T* source = symmetric<T>(kMost);  \
    T* dest = symmetric<T>(kMost);    \
    if (team != SHMEM_TEAM_INVALID) { \
      REDUCE(NAME, T, and, a& b)      \
      REDUCE(NAME, T, or, a | b)      \
      REDUCE(NAME, T, xor, a ^ b)     \
    }                                 \
    shmem_free(dest);                 \
    shmem_free(source);               \
  }

#define MOVES(NAME, TYPE)                                                                       \
  {                                                                                             \
    using T = TYPE;                                                                             \
    constexpr size_t kEach = 9;                                                                 \
    auto all = static_cast<size_t>(size);                                                       \
    T* source = symmetric<T>(2 * all * kEach);                                                  \
    T* dest = symmetric<T>(3 * all * kEach * all);                                              \
    if (team != SHMEM_TEAM_INVALID) {                                                           \
      int members = shmem_team_n_pes(team);                                                     \
      int own = shmem_team_my_pe(team);                                                         \
      auto world = [&](int pe) { return shmem_team_translate_pe(team, pe, SHMEM_TEAM_WORLD); }; \
      for (size_t i = 0; i < 2 * all * kEach; i++) source[i] = mark<T>(me, i);                  \
      bool holds = true;                                                                        \
      shmem_##NAME##_broadcast(team, dest, source, kEach, members - 1);                         \
      for (size_t i = 0; i < kEach; i++)                                                        \
        holds = holds && dest[i] == mark<T>(world(members - 1), i);                             \
      check(holds, "broadcast", #NAME);                                                         \
      shmem_##NAME##_fcollect(team, dest, source, kEach);                                       \
      for (int pe = 0; pe < members; pe++) {                                                    \
        for (size_t i = 0; i < kEach; i++) {                                                    \
          holds = holds && dest[static_cast<size_t>(pe) * kEach + i] == mark<T>(world(pe), i);  \
        }                                                                                       \
      }                                                                                         \
      check(holds, "fcollect", #NAME);                                                          \
      shmem_##NAME##_collect(team, dest, source, static_cast<size_t>(own));                     \
      const T* at = dest;                                                                       \
      for (int pe = 0; pe < members; pe++) {                                                    \
        for (size_t i = 0; i < static_cast<size_t>(pe); i++)                                    \
          holds = holds && *at++ == mark<T>(world(pe), i);                                      \
      }                                                                                         \
      check(holds, "collect", #NAME);                                                           \
      shmem_##NAME##_alltoall(team, dest, source, kEach);                                       \
      for (int pe = 0; pe < members; pe++) {                                                    \
        for (size_t i = 0; i < kEach; i++) {                                                    \
          holds = holds && dest[static_cast<size_t>(pe) * kEach + i] ==                         \
                               mark<T>(world(pe), static_cast<size_t>(own) * kEach + i);        \
        }                                                                                       \
      }                                                                                         \
      check(holds, "alltoall", #NAME);                                                          \
      shmem_##NAME##_alltoalls(team, dest, source, 3, 2, kEach);                                \
      for (int pe = 0; pe < members; pe++) {                                                    \
        for (size_t i = 0; i < kEach; i++) {                                                    \
          holds = holds && dest[3 * (static_cast<size_t>(pe) * kEach + i)] ==                   \
                               mark<T>(world(pe), 2 * (static_cast<size_t>(own) * kEach + i));  \
        }                                                                                       \
      }                                                                                         \
      check(holds, "alltoalls", #NAME);                                                         \
    }                                                                                           \
    shmem_free(dest);                                                                           \
    shmem_free(source);                                                                         \
  }

void all(shmem_team_t team) {
  RMA_TYPES(ARITHMETIC)
  BIT_TYPES(BITS)
  RMA_TYPES(MOVES)
}

void splits() {
  // Every second one, from the last to the first.
  int count = (size + 1) / 2;
  shmem_team_t team = SHMEM_TEAM_WORLD;
  check(shmem_team_split_strided(SHMEM_TEAM_WORLD, 2 * (count - 1), -2, count, nullptr, 0, &team) ==
            0,
        "split", "teams");
  check((team != SHMEM_TEAM_INVALID) == (me % 2 == 0), "membership", "teams");
  check(shmem_team_my_pe(team) == (me % 2 == 0 ? count - 1 - me / 2 : -1), "the number", "teams");
  all(team);
  if (team != SHMEM_TEAM_INVALID) {
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;
    check(shmem_team_create_ctx(team, 0, &ctx) == 0, "create_ctx", "teams");
    shmem_team_t of = SHMEM_TEAM_INVALID;
    check(shmem_ctx_get_team(ctx, &of) == 0 && of == team, "ctx_get_team", "teams");
    shmem_ctx_destroy(ctx);
  }
  shmem_team_t row = SHMEM_TEAM_INVALID;
  shmem_team_t column = SHMEM_TEAM_INVALID;
  check(shmem_team_split_2d(SHMEM_TEAM_WORLD, 3, nullptr, 0, &row, nullptr, 0, &column) == 0,
        "split_2d", "teams");
  int range = std::min(3, size);
  check(shmem_team_my_pe(row) == me % range && shmem_team_my_pe(column) == me / range, "the place",
        "teams");
  check(shmem_team_translate_pe(row, 0, SHMEM_TEAM_WORLD) == me / range * range, "translate_pe",
        "teams");
  long* sum = symmetric<long>(2);
  sum[0] = me;
  shmem_long_sum_reduce(row, &sum[1], &sum[0], 1);
  long expected = 0;
  for (int pe = me / range * range; pe < std::min(size, me / range * range + range); pe++)
    expected += pe;
  check(sum[1] == expected, "the sum of a row", "teams");
  shmem_free(sum);
  shmem_team_destroy(column);
  shmem_team_destroy(row);
  shmem_team_destroy(team);
  check(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, size + 1, nullptr, 0, &team) != 0 &&
            team == SHMEM_TEAM_INVALID,
        "a team of more than there are", "teams");
  check(shmem_team_n_pes(SHMEM_TEAM_INVALID) == -1, "n_pes of none", "teams");
}

/// Places are given back: far more teams than there are at a time.
void many() {
  for (int round = 0; round < 200; round++) {
    shmem_team_t team = SHMEM_TEAM_INVALID;
    check(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, size, nullptr, 0, &team) == 0,
          "one of many", "teams");
    shmem_team_sync(team);
    shmem_team_destroy(team);
  }
}

/// As many as there may be at a time; one more is refused, until one of them is gone.
void most() {
  constexpr size_t kMostTeams = 62;
  auto split = [](shmem_team_t& team) {
    return shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, size, nullptr, 0, &team);
  };
  std::vector<shmem_team_t> teams;
  shmem_team_t team = SHMEM_TEAM_INVALID;
  while (split(team) == 0) teams.push_back(team);
  check(teams.size() == kMostTeams, "how many there may be", "teams");
  check(team == SHMEM_TEAM_INVALID, "one too many", "teams");
  for (shmem_team_t each : teams) shmem_team_sync(each);
  shmem_team_destroy(teams.back());
  check(split(teams.back()) == 0, "one in the place of another", "teams");
  for (shmem_team_t each : teams) shmem_team_destroy(each);
}

}  // namespace

int main() {
  shmem_init();
  me = shmem_my_pe();
  size = shmem_n_pes();
  all(SHMEM_TEAM_WORLD);
  splits();
  many();
  most();
  shmem_finalize();
  return 0;
}
