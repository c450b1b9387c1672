// SPDX-License-Identifier: Apache-2.0
//
// Two writers, which are stopped and killed, and one who shares and revokes. What each of them does
// next a seed decides, one at a time, and a model says what may come of it: each operation ends
// once, and as it can have; the memory holds what it can hold; once a key is revoked nothing moves.
// A failure prints its seed; VERBENA_SEED runs that one alone, VERBENA_SEEDS so many.
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <random>

#include "host/lender.h"
#include "host/loan_book.h"
#include "seeds.h"
#include "simulated_memory.h"
#include "simulated_writer.h"
#include "softnic/device/context.h"

namespace verbena::fabric::testing {
namespace {

using softnic::testing::Child;
using softnic::testing::Line;
using Clock = std::chrono::steady_clock;
using Trap = Command::Trap;
using Outcome = Done::Outcome;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr uint64_t kSeeds = 25;
#else
constexpr uint64_t kSeeds = 150;
#endif
constexpr int kSteps = 60;
constexpr int kWriters = 2;
constexpr size_t kShares = 3;
constexpr size_t kApart = 8192;
constexpr size_t kFrom = 8;  // of a share in its part: neither its start nor its end is a page's
constexpr size_t kShareBytes = 4096;
constexpr size_t kWords = kShareBytes / 8;
constexpr std::byte kSecret{0xa5};  // between the shares
/// A second in earnest.
constexpr uint64_t kStragglerNs = 5'000'000;
/// A bound against hanging: a peer that stands still is waited for so long, twice at most.
constexpr std::chrono::seconds kBounded{30};

/// What has happened in all scenarios: a simulation in which something never does shows nothing.
struct Happened {
  uint64_t done, refused, unknown;
  uint64_t stopped, killed;       ///< in the middle of an operation
  uint64_t revoked, revokedThen;  ///< all; while somebody stood still in the middle
};

class Scenario {
 public:
  Scenario(uint64_t seed, bool mapping, Happened& happened)
      : mapping_(mapping), happened_(happened), random_(seed) {
    for (int i = 0; i < kWriters; i++) {
      Peer& peer = peers_[i];
      peer.id = static_cast<connect::NodeId>(1 + 2 * i);
      peer.child.emplace([&](const Line& line) { obey(line, peer.id, mapping); });
    }
    for (Peer& peer : peers_) peer.book = peer.child->line().hear<Presence>().book;
    descriptors_ = openDescriptors();
    owner_ = std::make_unique<Node>(2, 202, WorkerOptions{}, mapping);
    if (host::Lender* lender = owner_->worker().domain().lending().lender()) {
      lender->waitForStragglers(kStragglerNs);
    }
    context().stragglerNs = kStragglerNs;
    region_ = owner_->region(kShares * kApart);
    std::ranges::fill(region_->bytes(), kSecret);
    registrations_ = registrations();
    for (size_t i = 0; i < kShares; i++) {
      std::ranges::fill(partOf(i), std::byte{0});
      share(i);
    }
    for (Peer& peer : peers_) link(peer);
  }

  void play() {
    for (int i = 0; i < kSteps && !::testing::Test::HasFailure(); i++) {
      act();
      look();
    }
  }

  /// All that still lives ends in order, and nothing is left.
  void finish() {
    for (Peer& peer : peers_) {
      if (peer.state == Peer::stopped) goOn(peer);
      unlink(peer);
      if (peer.state != Peer::running) continue;
      tell(peer, {.what = Command::Quit});
      EXPECT_EQ(peer.child->wait(), 0);
    }
    look();
    for (size_t i = 0; i < kShares; i++) {
      if (shares_[i].isLive) revoke(i);
    }
    EXPECT_EQ(registrations(), registrations_) << "of the shares";
    uint64_t book = 0;
    if (host::Lender* lender = owner_->worker().domain().lending().lender()) book = lender->name();
    region_.reset();
    owner_.reset();
    EXPECT_EQ(openDescriptors(), descriptors_);
    // What the dead leave goes when the next one comes.
    {
      Node next(4, 404, {}, mapping_), nextButOne(5, 505, {}, mapping_);
      next.region(1);
    }
    std::string folder = host::Lender::defaultFolder();
    for (uint64_t each : {book, peers_[0].book, peers_[1].book}) {
      EXPECT_FALSE(std::filesystem::exists(host::loanBookPath(folder, each)));
    }
    EXPECT_LE(filesIn(folders_.path()), 2U) << "the lock and the name of the folder";
  }

 private:
  struct Peer {
    connect::NodeId id = 0;
    std::optional<Child> child{};
    uint64_t book = 0;
    enum : uint8_t { running, stopped, dead } state = running;
    connect::LinkId link = 0;
    bool isUp = false;              // there is a link at its end
    bool isUpHere = false;          // and at the owner's
    bool mayFail = false;           // something has happened that costs the link
    std::optional<Command> owes{};  // it was stopped in the middle of this
    uint64_t open = 0;              // operations
    bool mayDie = false;            // it has been told to
  };
  struct Share {
    RegionKey key{};
    bool isLive = false;
    uint64_t lives = 0;
    SimulatedMemory memory{kWords};
    std::vector<uint64_t> words{};  // when it was revoked
  };
  /// What the model has to know of an operation besides.
  struct Asked {
    size_t share;
    uint64_t life;
    bool wasLive;
  };

  // --- steps

  void act() {
    Peer& peer = peers_[random_() % kWriters];
    size_t share = random_() % kShares;
    switch (random_() % 20) {
      case 0: shares_[share].isLive ? revoke(share) : this->share(share); break;
      case 1: shares_[share].isLive ? revoke(share) : this->share(share); break;
      case 2: peer.state == Peer::stopped ? goOn(peer) : stop(peer); break;
      case 3: peer.state == Peer::stopped ? goOn(peer) : settle(peer); break;
      case 4:
        if (random_() % 4 == 0) kill(peer);
        break;
      case 5:
        if (peer.isUpHere && random_() % 3 == 0) closeHere(peer);
        break;
      case 6: settle(peer); break;
      default:
        if (peer.state != Peer::running) break;
        if (!peer.isUp || !peer.isUpHere) {
          unlink(peer);
          link(peer);
        }
        post(peer, share);
    }
  }

  void post(Peer& peer, size_t at) {
    if (peer.open == kMostOpen - 1) settle(peer);
    if (peer.state != Peer::running || !peer.isUp) return;
    Share& share = shares_[at];
    if (!share.isLive && random_() % 4 != 0) return;  // it costs the link
    constexpr Operation kKinds[] = {Operation::put, Operation::put, Operation::get,
                                    Operation::fetchAdd};
    Operation operation = kKinds[random_() % 4];
    SimulatedMemory::Range range{0, 1};  // the first word is the one that is counted up
    if (operation == Operation::put) range.count = 2 + random_() % (kWords / 2);
    if (operation == Operation::get) range.count = 2 + random_() % (End::kWords - 1);
    if (operation != Operation::fetchAdd) range.first = 1 + random_() % (kWords - 1 - range.count);
    uint64_t number = ++numbers_;
    share.memory.posted(number, static_cast<int>(peer.id), operation, range);
    asked_[number] = {at, share.lives, share.isLive};
    peer.open++;
    if (!share.isLive) peer.mayFail = true;
    tell(peer, {.what = Command::Post,
                .trap = trap(),
                .operation = operation,
                .key = share.key,
                .offset = 8 * range.first,
                .length = 8 * range.count,
                .cookie = number});
  }
  Trap trap() {
    auto chance = random_() % 100;
    return chance < 12 ? Trap::stop : chance < 14 ? Trap::die : Trap::none;
  }

  void settle(Peer& peer) {
    if (peer.state == Peer::running && peer.isUp) tell(peer, {.what = Command::Settle});
  }

  void share(size_t at) {
    Share& share = shares_[at];
    share.key = must(region_->share(at * kApart + kFrom, kShareBytes, kAllAccess));
    share.isLive = true;
    share.lives++;
  }

  /// Whatever the peers do it returns, and from then on nothing moves.
  void revoke(size_t at) {
    Share& share = shares_[at];
    Clock::time_point start = Clock::now();
    must(region_->revoke(share.key));
    happened_.revoked++;
    for (Peer& peer : peers_) happened_.revokedThen += peer.owes ? 1 : 0;
    EXPECT_LT(Clock::now() - start, kBounded);
    share.isLive = false;
    share.words = wordsOf(at);
    EXPECT_TRUE(share.memory.mayBeCounted(share.words[0])) << share.words[0];
    for (size_t i = 1; i < kWords; i++) {
      EXPECT_TRUE(share.memory.mayBe(i, share.words[i])) << i << ": " << share.words[i];
      share.memory.is(i, share.words[i]);
    }
    share.memory.isCounted(share.words[0]);
    for (Peer& peer : peers_) peer.mayFail |= peer.open > 0;
  }

  void stop(Peer& peer) {
    if (peer.state != Peer::running) return;
    peer.child->stop();
    peer.state = Peer::stopped;
  }
  void goOn(Peer& peer) {
    peer.child->goOn();
    peer.state = Peer::running;
    if (peer.owes) hear(peer, *std::exchange(peer.owes, std::nullopt));
  }
  void kill(Peer& peer) {
    if (peer.state == Peer::dead) return;
    peer.child->kill();
    died(peer);
  }
  void died(Peer& peer) {
    peer.state = Peer::dead;
    peer.isUp = false;
    peer.owes.reset();
    for (Share& share : shares_) share.memory.died(static_cast<int>(peer.id));
    peer.open = 0;
  }

  // --- links

  void link(Peer& peer) {
    if (peer.state != Peer::running) return;
    peer.link = ++links_;
    Command command{.what = Command::Link, .link = peer.link};
    command.key.owner = 2;
    command.key.incarnation = 202;
    const Line& line = peer.child->line();
    line.tell(command);
    auto far = line.hear<connect::LinkEnd>();
    connect::NewLink wanted{peer.link, peer.id, kOneSided, nullptr, 101ULL * peer.id};
    line.tell(must(owner_->worker().create(owner_->memory(), wanted)));
    must(owner_->worker().connect(peer.link, far));
    owner_->worker().ready(peer.link);
    EXPECT_EQ(line.hear<bool>(), mapping_);
    peer.isUp = peer.isUpHere = true;
    peer.mayFail = false;
  }
  /// Its peer may be stopped in the middle of something.
  void closeHere(Peer& peer) {
    if (!peer.isUpHere) return;
    Clock::time_point start = Clock::now();
    owner_->close(peer.link);
    EXPECT_LT(Clock::now() - start, kBounded);
    peer.isUpHere = false;
    peer.mayFail = true;
    for (Share& share : shares_) share.memory.linkEnded(static_cast<int>(peer.id));
  }
  void unlink(Peer& peer) {
    closeHere(peer);
    if (peer.state != Peer::running || !peer.isUp) return;
    tell(peer, {.what = Command::Close});
    if (peer.state == Peer::stopped) goOn(peer);
    if (peer.state != Peer::running) return;
    EXPECT_EQ(peer.open, 0U) << "of operations nobody is told";
    for (Share& share : shares_) share.memory.linkEnded(static_cast<int>(peer.id));
  }

  // --- talking to the writers

  void tell(Peer& peer, const Command& command) {
    peer.child->line().tell(command);
    if (command.what != Command::Quit) hear(peer, command);
  }

  /// Its answer, unless it is stopped or dies in the middle.
  void hear(Peer& peer, const Command& command) {
    for (auto last = Clock::now() + kPatience; !peer.child->line().heard();) {
      owner_->worker().progress();
      if (Clock::now() > last) throw std::runtime_error("a writer does not answer");
      switch (peer.child->look()) {
        case Child::Change::Stopped:
          peer.state = Peer::stopped;
          peer.mayFail = true;
          peer.owes = command;
          happened_.stopped++;
          return;
        case Child::Change::Ended:
          EXPECT_TRUE(command.trap == Trap::die || peer.mayDie) << "a writer has died by itself";
          happened_.killed++;
          return died(peer);
        case Child::Change::None: std::this_thread::yield();
      }
    }
    peer.mayDie |= command.trap == Trap::die;  // in a later call: the device may be late
    command.what == Command::Post ? hearPosted(peer, command.cookie) : hearTold(peer, command);
  }

  /// Before it was asked for, or since.
  bool wasRevoked(const Asked& asked) const {
    const Share& share = shares_[asked.share];
    return !asked.wasLive || !share.isLive || share.lives != asked.life;
  }

  void hearPosted(Peer& peer, uint64_t number) {
    auto posted = peer.child->line().hear<Posted>();
    if (posted.count == 1) return;
    const Asked& asked = asked_[number];
    bool isRevoked = posted.code == ESTALE && wasRevoked(asked);
    EXPECT_TRUE(isRevoked || (posted.code == ENOTCONN && peer.mayFail))
        << base::errorName(posted.code);
    happened_.refused += isRevoked ? 1 : 0;
    shares_[asked.share].memory.never(number);
    peer.open--;
  }

  void hearTold(Peer& peer, const Command& command) {
    const Line& line = peer.child->line();
    auto told = line.hear<Told>();
    for (uint32_t i = 0; i < told.count; i++) hearEnd(peer, line.hear<End>());
    EXPECT_TRUE(!told.failed || peer.mayFail) << "a link has failed for nothing";
    if (!told.failed) {
      EXPECT_EQ(peer.open, 0U) << "of operations nobody is told";
    }
    if (told.failed && command.what == Command::Settle) return unlink(peer);
    if (command.what == Command::Close) peer.isUp = false;
  }

  void hearEnd(Peer& peer, const End& end) {
    Asked asked = asked_[end.cookie];
    Share& share = shares_[asked.share];
    SCOPED_TRACE("operation " + std::to_string(end.cookie) + " of node " + std::to_string(peer.id));
    ASSERT_TRUE(share.memory.isOpen(end.cookie)) << "it has ended before, or was never posted";
    peer.open--;
    switch (end.outcome) {
      case Outcome::done:
        happened_.done++;
        EXPECT_TRUE(asked.wasLive) << "by a revoked key";
        EXPECT_TRUE(share.memory.done(end.cookie, end.words)) << "it cannot have brought that";
        break;
      case Outcome::refused:
        happened_.refused++;
        EXPECT_TRUE(wasRevoked(asked)) << "by a key that was good";
        share.memory.refused(end.cookie);
        break;
      case Outcome::unknown:
        happened_.unknown++;
        EXPECT_TRUE(peer.mayFail) << "of a link that nothing has happened to";
        share.memory.unknown(end.cookie);
        break;
    }
  }

  // --- looking

  void look() {
    for (size_t i = 0; i < kShares; i++) {
      if (!shares_[i].isLive && !shares_[i].words.empty()) {
        EXPECT_EQ(wordsOf(i), shares_[i].words) << "written through a key that was revoked";
      }
      if (shares_[i].isLive) lookAtLive(i);
      auto between = region_->bytes().subspan(i * kApart, kApart);
      bool untouched = std::ranges::all_of(between.first(kFrom), isSecret) &&
                       std::ranges::all_of(between.subspan(kFrom + kShareBytes), isSecret);
      EXPECT_TRUE(untouched) << "written beside what was shared";
    }
  }
  void lookAtLive(size_t at) {
    std::vector<uint64_t> words = wordsOf(at);
    EXPECT_TRUE(shares_[at].memory.mayBeCounted(words[0])) << words[0];
    for (size_t i = 1; i < kWords; i++) {
      ASSERT_TRUE(shares_[at].memory.mayBe(i, words[i])) << at << "." << i << ": " << words[i];
    }
  }
  static bool isSecret(std::byte each) { return each == kSecret; }

  std::span<std::byte> partOf(size_t at) const {
    return region_->bytes().subspan(at * kApart + kFrom, kShareBytes);
  }
  /// The device's threads write with its lock.
  std::vector<uint64_t> wordsOf(size_t at) const {
    std::vector<uint64_t> words(kWords);
    std::lock_guard guard(context().lock);
    std::memcpy(words.data(), partOf(at).data(), kShareBytes);
    return words;
  }

  softnic::Context& context() const {
    return softnic::contextOf(owner_->worker().domain().context.get());
  }
  size_t registrations() const {
    std::lock_guard guard(context().lock);
    return context().regions.count();
  }
  static size_t filesIn(const std::string& folder) {
    auto all = std::filesystem::directory_iterator(folder);
    return static_cast<size_t>(std::distance(begin(all), end(all)));
  }
  static size_t openDescriptors() { return filesIn("/proc/self/fd"); }

  const bool mapping_;
  Happened& happened_;
  std::mt19937_64 random_;
  Folders folders_;  // before the processes open their ports
  Peer peers_[kWriters];
  size_t descriptors_ = 0;
  std::unique_ptr<Node> owner_;
  std::shared_ptr<Region> region_;
  size_t registrations_ = 0;
  Share shares_[kShares];
  std::map<uint64_t, Asked> asked_;
  uint64_t numbers_ = 0;
  connect::LinkId links_ = 0;
};

class FabricSimulation : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Ways, FabricSimulation, ::testing::Bool(), nameOfWay);

TEST_P(FabricSimulation, OfTwoWritersAndOneWhoRevokes) {
  if (!testPort().device.name().starts_with("softnic"))
    GTEST_SKIP() << "a second for each that stops";
  Seeds seeds = Seeds::wanted(kSeeds);
  Happened happened{};
  for (uint64_t seed = seeds.first; seed <= seeds.last; seed++) {
    SCOPED_TRACE("VERBENA_SEED=" + std::to_string(seed));
    Scenario scenario(seed, GetParam(), happened);
    scenario.play();
    if (!HasFailure()) scenario.finish();
    ASSERT_FALSE(HasFailure()) << "VERBENA_SEED=" << seed
                               << " fabric-test --gtest_filter='*FabricSimulation*'";
  }
  std::printf(
      "done %lu, refused %lu, unknown %lu; stopped %lu, killed %lu; revoked %lu, then %lu\n",
      happened.done, happened.refused, happened.unknown, happened.stopped, happened.killed,
      happened.revoked, happened.revokedThen);
  if (seeds.last - seeds.first < 20) return;
  for (uint64_t each : {happened.done, happened.refused, happened.unknown, happened.stopped,
                        happened.killed, happened.revokedThen}) {
    EXPECT_GT(each, 0U);
  }
}

}  // namespace
}  // namespace verbena::fabric::testing
