// SPDX-License-Identifier: Apache-2.0
#include "teams.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

#include "base/survive.h"
#include "calls.h"
#include "contexts.h"
#include "far.h"
#include "waiting.h"
#include "words.h"

namespace verbena::shmem {
namespace {

constexpr uint32_t kWorldPlace = 0;
constexpr uint32_t kSharedPlace = 1;

shmem_team* worldTeam = nullptr;
shmem_team* sharedTeam = nullptr;
std::mutex placing;
std::array<shmem_team*, Control::kTeams> atPlaces{};  // each is one thread's to make and destroy
std::array<std::atomic<uint64_t>, Control::kTeams> lives{};  // by place; odd: a team is there
uint64_t freePlaces = 0;
uint64_t wantedPlaces = 0;  // free ones, for which a split under way asks the others

// A handle says where its team is, and which of the teams that have been there.
constexpr uintptr_t kIsHandle = 3;
constexpr unsigned kPlaceAt = 2;
constexpr unsigned kLifeAt = 8;
static_assert(Control::kTeams <= 1U << (kLifeAt - kPlaceAt));

shmem_team_t enter(std::unique_ptr<shmem_team> team) {
  uint32_t place = team->place;
  atPlaces[place] = team.release();
  uint64_t life = lives[place].fetch_add(1, std::memory_order_release) + 1;
  return reinterpret_cast<shmem_team_t>(life << kLifeAt | place << kPlaceAt | kIsHandle);
}

/// Active sets' have none.
shmem_team* placedAt(shmem_team_t handle) {
  auto bits = reinterpret_cast<uintptr_t>(handle);
  if ((bits & kIsHandle) != kIsHandle) return handle;
  uint32_t place = bits >> kPlaceAt & (Control::kTeams - 1);
  // acquire pairs with enter()
  bool isThere = lives[place].load(std::memory_order_acquire) == bits >> kLifeAt;
  return isThere ? atPlaces[place] : nullptr;
}

std::mutex ofContexts;  // guards both
std::deque<shmem_ctx> contexts;
std::deque<shmem_ctx*> unusedContexts;

void end(shmem_ctx& context) {
  context.life.fetch_add(1, std::memory_order_relaxed);
  unusedContexts.push_back(&context);
}

/// Contexts end with their team.
void endContextsOf(const shmem_team* team) {
  std::lock_guard guard(ofContexts);
  for (shmem_ctx& each : contexts) {
    if (each.life % 2 != 0 && each.team == team) end(each);
  }
}

/// What all members' words have in common.
uint64_t commonOf(shmem_team& team, uint64_t own) {
  team.word().store(own, std::memory_order_relaxed);
  sync(team);
  uint64_t common = UINT64_MAX;
  for (int pe = 0; pe < team.size(); pe++) common &= wordOf(team, pe);
  sync(team);  // who is fast may put another word down
  return common;
}

uint64_t bitOf(uint32_t place) {
  return uint64_t{1} << place;
}

bool tryToWant(uint32_t place) {
  std::lock_guard guard(placing);
  bool isFree = (freePlaces & ~wantedPlaces & bitOf(place)) != 0;
  if (isFree) wantedPlaces |= bitOf(place);
  return isFree;
}

void decide(uint32_t place, bool isTaken) {
  std::lock_guard guard(placing);
  wantedPlaces &= ~bitOf(place);
  if (isTaken) freePlaces &= ~bitOf(place);
}

void giveBack(uint32_t place) {
  std::lock_guard guard(placing);
  freePlaces |= bitOf(place);
}

/// One of the bits that are set, another one for each turn.
uint32_t anyOf(uint64_t bits, uint32_t turn) {
  for (auto skipped = turn % static_cast<uint32_t>(std::popcount(bits)); skipped > 0; skipped--)
    bits &= bits - 1;
  return static_cast<uint32_t>(std::countr_zero(bits));
}

/// Takes a place that is free at all members of a team of some of the parent's; more than there are
/// if there is none. Another thread of a member may split another team and be faster there: then
/// all try again.
uint32_t agreeOnPlace(shmem_team& parent, bool isMember) {
  while (true) {
    uint64_t free = UINT64_MAX;
    if (isMember) {
      std::lock_guard guard(placing);
      free = freePlaces;
    }
    uint64_t common = commonOf(parent, free);
    if (common == 0) return Control::kTeams;
    uint32_t place = anyOf(common, parent.place);
    bool isOwn = isMember && tryToWant(place);
    bool isAll = commonOf(parent, isOwn || !isMember ? 1 : 0) != 0;
    if (isOwn) decide(place, isAll);
    if (isAll) return place;
  }
}

/// Makes the team of these numbers of the parent's, for its members. All of the parent's take part,
/// each with the team that it is to be in, if it is in any.
int split(shmem_team& parent, std::vector<int> numbers, const shmem_team_config_t* config,
          long config_mask, shmem_team_t* made) {
  *made = SHMEM_TEAM_INVALID;
  auto own = std::ranges::find(numbers, parent.me);
  bool isMember = own != numbers.end();
  uint32_t place = agreeOnPlace(parent, isMember);
  if (place < Control::kTeams && isMember) {
    auto team = std::make_unique<shmem_team>();
    for (int number : numbers) team->pes.push_back(parent.pes[static_cast<size_t>(number)]);
    team->me = static_cast<int>(own - numbers.begin());
    team->place = place;
    if ((config_mask & SHMEM_TEAM_NUM_CONTEXTS) != 0 && config != nullptr) team->config = *config;
    for (auto& told : team->gathering().told) told.store(0, std::memory_order_relaxed);
    for (auto& pushed : team->gathering().pushed) pushed.store(0, std::memory_order_relaxed);
    for (auto& turn : team->gathering().exchanged) {
      for (auto& told : turn) told.number.store(0, std::memory_order_relaxed);
    }
    *made = enter(std::move(team));
  }
  sync(parent);  // nobody tells what is not empty yet
  return place < Control::kTeams ? 0 : 1;
}

}  // namespace

shmem_team& teamOf(shmem_team_t handle) {
  if (worldTeam == nullptr) refuse("call shmem_init() before, and nothing behind shmem_finalize()");
  if (handle == SHMEM_TEAM_INVALID) refuse("the team is SHMEM_TEAM_INVALID");
  if (handle == SHMEM_TEAM_WORLD) return *worldTeam;
  if (handle == SHMEM_TEAM_SHARED) return *sharedTeam;
  shmem_team* found = placedAt(handle);
  if (found == nullptr) refuse("the team was destroyed");
  return *found;
}

void beginTeams() {
  worldTeam = new shmem_team();
  sharedTeam = new shmem_team();
  for (uint32_t pe = 0; pe < world.size; pe++) {
    worldTeam->pes.push_back(static_cast<int>(pe));
    if (world.near[pe] != nullptr) sharedTeam->pes.push_back(static_cast<int>(pe));
  }
  worldTeam->me = static_cast<int>(world.me);
  auto own = std::ranges::find(sharedTeam->pes, worldTeam->me);
  sharedTeam->me = static_cast<int>(own - sharedTeam->pes.begin());
  worldTeam->place = kWorldPlace;
  sharedTeam->place = kSharedPlace;
  freePlaces = ~(uint64_t{1} << kWorldPlace | uint64_t{1} << kSharedPlace);
}

void endTeams() {
  endContextsOf(worldTeam);
  endContextsOf(sharedTeam);
  delete std::exchange(worldTeam, nullptr);
  delete std::exchange(sharedTeam, nullptr);
}

int worldPe(const shmem_team& team, int pe) {
  if (pe < 0 || pe >= team.size()) {
    refuse("the team has no PE " + std::to_string(pe) + "; they are 0 to " +
           std::to_string(team.size() - 1));
  }
  return team.pes[static_cast<size_t>(pe)];
}

void tell(const std::atomic<uint64_t>& word, int pe, uint64_t value) {
  Word(offsetOf(&word, sizeof value, pe), pe).store(value);
}

uint64_t loadAt(const std::atomic<uint64_t>& word, int pe) {
  return Word(offsetOf(&word, sizeof(uint64_t), pe), pe).load();
}

namespace {

/// Each tells all others: one step, where each wait may be for a processor.
void syncFew(const shmem_team& team, uint64_t now) {
  auto& told = team.gathering().told;
  for (int i = 1; i < team.size(); i++)
    tell(told[team.me], team.pes[static_cast<size_t>((team.me + i) % team.size())], now);
  for (int member = 0; member < team.size(); member++) {
    if (member == team.me) continue;
    awaitUntil([&] { return told[member].load(std::memory_order_acquire) >= now; });
  }
}

}  // namespace

/// Each round tells the member twice as far away; who was told in every round knows that all have
/// come.
void sync(shmem_team& team) {
  if (team.pSync != nullptr) return syncActiveSet(team);
  uint64_t now = ++team.passed;
  if (team.size() <= static_cast<int>(Gathering::kFew)) return syncFew(team, now);
  auto size = static_cast<uint64_t>(team.size());
  uint32_t round = 0;
  for (uint64_t distance = 1; distance < size; distance *= 2, round++) {
    auto& told = team.gathering().told[round];
    auto next = (static_cast<uint64_t>(team.me) + distance) % size;
    tell(told, team.pes[next], now);
    awaitUntil([&] { return told.load(std::memory_order_acquire) >= now; });
  }
}

/// A root does not wait for the others, so one may be some broadcasts ahead of them. No more than
/// there are words: all sync in time.
Push nextPush(shmem_team& team) {
  if (team.pSync != nullptr) return {pushIn(team.pSync), SHMEM_SYNC_VALUE + 1};
  uint64_t number = ++team.pushes;
  if (number % Gathering::kPushes == 0) sync(team);
  return {team.gathering().pushed[number % Gathering::kPushes], number};
}

void awaitRoom(const shmem_team& team, const Push& push, int pe) {
  if (team.pSync == nullptr) return;
  awaitUntil([&] { return loadAt(push.word, pe) == SHMEM_SYNC_VALUE; });
}

void await(const shmem_team& team, const Push& push) {
  awaitUntil([&] { return push.word.load(std::memory_order_acquire) >= push.value; });
  if (team.pSync != nullptr) push.word.store(SHMEM_SYNC_VALUE, std::memory_order_relaxed);
}

bool isForExchange(const shmem_team& team, size_t bytes) {
  size_t most = team.pSync != nullptr ? kMemberBytes : Gathering::Told::kBytes;
  return team.size() <= static_cast<int>(Gathering::kFew) && bytes <= most;
}

Exchange::Exchange(shmem_team& team, size_t bytes)
    : team_(team),
      bytes_(bytes),
      number_(team.pSync != nullptr ? SHMEM_SYNC_VALUE + 1 : ++team.exchanges) {}

std::byte* Exchange::bytesOf(int member) const {
  if (team_.pSync != nullptr) return bytesIn(team_.pSync, member);
  return team_.gathering().exchanged[number_ % 2][member].bytes;
}

std::atomic<uint64_t>& Exchange::numberOf(int member) const {
  if (team_.pSync != nullptr) return memberIn(team_.pSync, member);
  return team_.gathering().exchanged[number_ % 2][member].number;
}

/// A program may use pSync again before all others have taken what came by it. The word guards the
/// bytes.
void Exchange::tellOne(int member, const void* own) const {
  int pe = team_.pes[static_cast<size_t>(member)];
  if (team_.pSync != nullptr)
    awaitUntil([&] { return loadAt(numberOf(team_.me), pe) == SHMEM_SYNC_VALUE; });
  calls::put(SHMEM_CTX_DEFAULT, bytesOf(team_.me), static_cast<const std::byte*>(own), bytes_, pe);
  tell(numberOf(team_.me), pe, number_);
}

const std::byte* Exchange::await(int member) const {
  auto& number = numberOf(member);
  awaitUntil([&] { return number.load(std::memory_order_acquire) >= number_; });
  return bytesOf(member);
}

void Exchange::took(int member) const {
  if (team_.pSync == nullptr) return;
  clearBytesIn(team_.pSync, member);
  numberOf(member).store(SHMEM_SYNC_VALUE, std::memory_order_release);
}

uint64_t wordOf(const shmem_team& team, int pe) {
  return loadAt(team.word(), worldPe(team, pe));
}

void syncAll() {
  sync(teamOf(SHMEM_TEAM_WORLD));
}

namespace calls {

void signal(int pe, uint64_t* sig_addr, uint64_t value, int sig_op) {
  if (sig_op == SHMEM_SIGNAL_ADD) {
    atomic_add<uint64_t>(SHMEM_CTX_DEFAULT, sig_addr, value, pe);
  } else if (sig_op == SHMEM_SIGNAL_SET && world.atomics[pe] == VBN_ATOMICS_OF_DEVICE) {
    atomic_set<uint64_t>(SHMEM_CTX_DEFAULT, sig_addr, value, pe);  // a put is lost beside an add
  } else if (sig_op == SHMEM_SIGNAL_SET) {
    tell(*reinterpret_cast<std::atomic<uint64_t>*>(sig_addr), pe, value);
  } else {
    refuse("no signal operation has the number " + std::to_string(sig_op));
  }
}

}  // namespace calls
}  // namespace verbena::shmem

using namespace verbena::shmem;

extern "C" {

int shmem_team_my_pe(shmem_team_t team) {
  return team == SHMEM_TEAM_INVALID ? -1 : teamOf(team).me;
}

int shmem_team_n_pes(shmem_team_t team) {
  return team == SHMEM_TEAM_INVALID ? -1 : teamOf(team).size();
}

int shmem_team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t* config) {
  if (team == SHMEM_TEAM_INVALID) return -1;
  if ((config_mask & SHMEM_TEAM_NUM_CONTEXTS) != 0) *config = teamOf(team).config;
  return 0;
}

int shmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team) {
  if (src_team == SHMEM_TEAM_INVALID || dest_team == SHMEM_TEAM_INVALID) return -1;
  const shmem_team& from = teamOf(src_team);
  const shmem_team& to = teamOf(dest_team);
  if (src_pe < 0 || src_pe >= from.size()) return -1;
  auto found = std::ranges::find(to.pes, from.pes[static_cast<size_t>(src_pe)]);
  return found == to.pes.end() ? -1 : static_cast<int>(found - to.pes.begin());
}

int shmem_team_split_strided(shmem_team_t parent_team, int start, int stride, int size,
                             const shmem_team_config_t* config, long config_mask,
                             shmem_team_t* new_team) {
  *new_team = SHMEM_TEAM_INVALID;
  if (parent_team == SHMEM_TEAM_INVALID) return -1;
  shmem_team& parent = teamOf(parent_team);
  int64_t last = start + int64_t{stride} * (int64_t{size} - 1);
  bool isThere = size > 0 && start >= 0 && start < parent.size() && last >= 0 &&
                 last < parent.size() && (stride != 0 || size == 1);
  if (!isThere) return -1;
  std::vector<int> numbers;
  for (int i = 0; i < size; i++) numbers.push_back(start + i * stride);
  return split(parent, std::move(numbers), config, config_mask, new_team);
}

int shmem_team_split_2d(shmem_team_t parent_team, int xrange,
                        const shmem_team_config_t* xaxis_config, long xaxis_mask,
                        shmem_team_t* xaxis_team, const shmem_team_config_t* yaxis_config,
                        long yaxis_mask, shmem_team_t* yaxis_team) {
  *xaxis_team = *yaxis_team = SHMEM_TEAM_INVALID;
  if (parent_team == SHMEM_TEAM_INVALID || xrange < 1) return -1;
  shmem_team& parent = teamOf(parent_team);
  int range = std::min(xrange, parent.size());
  std::vector<int> row;
  std::vector<int> column;
  for (int i = 0; i < parent.size(); i++) {
    if (i / range == parent.me / range) row.push_back(i);
    if (i % range == parent.me % range) column.push_back(i);
  }
  int failed = split(parent, std::move(row), xaxis_config, xaxis_mask, xaxis_team);
  if (failed != 0) return failed;
  failed = split(parent, std::move(column), yaxis_config, yaxis_mask, yaxis_team);
  if (failed != 0) shmem_team_destroy(std::exchange(*xaxis_team, SHMEM_TEAM_INVALID));
  return failed;
}

void shmem_team_destroy(shmem_team_t team) {
  if (team == SHMEM_TEAM_INVALID) return;
  if (team == SHMEM_TEAM_WORLD || team == SHMEM_TEAM_SHARED) refuse("a team that is always there");
  std::unique_ptr<shmem_team> gone(&teamOf(team));
  sync(*gone);  // nobody is in a sync of it any more but those that have passed the last
  endContextsOf(gone.get());
  lives[gone->place].fetch_add(1, std::memory_order_relaxed);
  giveBack(gone->place);
}

void* shmem_team_ptr(shmem_team_t team, const void* dest, int pe) {
  if (team == SHMEM_TEAM_INVALID || pe < 0 || pe >= teamOf(team).size()) return nullptr;
  return shmem_ptr(dest, worldPe(teamOf(team), pe));
}

int shmem_team_sync(shmem_team_t team) {
  if (team == SHMEM_TEAM_INVALID) return -1;
  sync(teamOf(team));
  return 0;
}

int shmem_ctx_create(long options, shmem_ctx_t* ctx) {
  return shmem_team_create_ctx(SHMEM_TEAM_WORLD, options, ctx);
}

int shmem_team_create_ctx(shmem_team_t team, long, shmem_ctx_t* ctx) {
  *ctx = SHMEM_CTX_INVALID;
  if (team == SHMEM_TEAM_INVALID) return -1;
  const shmem_team* its = &teamOf(team);
  std::lock_guard guard(ofContexts);
  shmem_ctx* made = nullptr;
  verbena::base::survive([&] {
    if (unusedContexts.empty()) unusedContexts.push_back(&contexts.emplace_back());
    made = unusedContexts.front();  // the one whose former handles are the oldest
    unusedContexts.pop_front();
  });
  if (made == nullptr) return 1;
  made->handle = team;
  made->team = its;
  uint64_t life = made->life.fetch_add(1, std::memory_order_relaxed) + 1;
  *ctx = reinterpret_cast<shmem_ctx_t>(reinterpret_cast<uintptr_t>(made) |
                                       (life & (alignof(shmem_ctx) - 1)));
  return 0;
}

void shmem_ctx_destroy(shmem_ctx_t ctx) {
  if (ctx == SHMEM_CTX_INVALID) return;
  if (ctx == SHMEM_CTX_DEFAULT) refuse("the default context");
  shmem_ctx& gone = contextOf(ctx);
  shmem_ctx_quiet(ctx);
  std::lock_guard guard(ofContexts);
  end(gone);
}

int shmem_ctx_get_team(shmem_ctx_t ctx, shmem_team_t* team) {
  *team = SHMEM_TEAM_INVALID;
  if (ctx == SHMEM_CTX_INVALID) return -1;
  *team = ctx == SHMEM_CTX_DEFAULT ? SHMEM_TEAM_WORLD : contextOf(ctx).handle;
  return 0;
}
}
