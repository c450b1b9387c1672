// SPDX-License-Identifier: Apache-2.0
//
// Teams: some PEs of the world under numbers of their own. Their members sync by a place in the
// symmetric memory that is the same at all of them. Active sets are teams for one call, which sync
// by an array of the program's.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "active_sets.h"
#include "shmem.h"
#include "world.h"

struct shmem_team {
  std::vector<int> pes;  ///< of the world, by number in the team
  int me = 0;
  uint32_t place = 0;   ///< of its Gathering, and in the table of teams
  uint64_t passed = 0;  ///< syncs
  uint64_t pushes = 0;  ///< broadcasts by which a root puts
  uint64_t exchanges = 0;
  shmem_team_config_t config{};
  long* pSync = nullptr;  ///< an active set's, instead of a place

  int size() const { return static_cast<int>(pes.size()); }
  verbena::shmem::Gathering& gathering() const {
    return verbena::shmem::world.control().gatherings[place];
  }
  /// What this member tells all others between two syncs.
  std::atomic<uint64_t>& word() const {
    return pSync != nullptr ? verbena::shmem::wordIn(pSync) : gathering().word;
  }
};

namespace verbena::shmem {

/// That of a handle; ends the process if it is none.
shmem_team& teamOf(shmem_team_t handle);
/// Makes the teams that are always there, and takes them away.
void beginTeams();
void endTeams();

/// The PE of the world that has a number in a team; ends the process if there is none.
int worldPe(const shmem_team& team, int pe);

/// Returns when all members have come to this: what they have stored before can be read.
void sync(shmem_team& team);
/// Returns when all PEs have come to this. What they have put may still be on its way.
void syncAll();
/// What the root of a broadcast tells those that it has put its elements to.
struct Push {
  std::atomic<uint64_t>& word;
  uint64_t value;
};
/// The next one of a team.
Push nextPush(shmem_team& team);
/// Waits until a PE of the world has taken the one before. With a team nothing has to be waited
/// for.
void awaitRoom(const shmem_team& team, const Push& push, int pe);
/// Waits for it; a word of an active set's is as before then.
void await(const shmem_team& team, const Push& push);
/// Whether each member can tell each other one so many bytes by itself.
bool isForExchange(const shmem_team& team, size_t bytes);
/// Does so: heard(bytes) is called for each member's, in the order of their numbers.
template <typename Heard>
void exchange(shmem_team& team, const void* own, size_t bytes, Heard heard);

/// What a member has last put down as its word, before the last sync.
uint64_t wordOf(const shmem_team& team, int pe);
/// What a word of a PE of the world holds.
uint64_t loadAt(const std::atomic<uint64_t>& word, int pe);
/// Writes a word of a PE of the world that is waited for, behind all that was put there before.
void tell(const std::atomic<uint64_t>& word, int pe, uint64_t value);

/// The next exchange of a team. Members are named by their numbers in it.
class Exchange {
 public:
  Exchange(shmem_team& team, size_t bytes);

  void tellOne(int member, const void* own) const;
  /// What a member has told; until took().
  const std::byte* await(int member) const;
  void took(int member) const;

 private:
  /// Where a member tells the others.
  std::byte* bytesOf(int member) const;
  std::atomic<uint64_t>& numberOf(int member) const;

  const shmem_team& team_;
  const size_t bytes_;
  const uint64_t number_;
};

template <typename Heard>
void exchange(shmem_team& team, const void* own, size_t bytes, Heard heard) {
  Exchange exchange(team, bytes);
  for (int i = 1; i < team.size(); i++) exchange.tellOne((team.me + i) % team.size(), own);
  for (int member = 0; member < team.size(); member++) {
    heard(member == team.me ? own : exchange.await(member));
    if (member != team.me) exchange.took(member);
  }
}

}  // namespace verbena::shmem
