// SPDX-License-Identifier: Apache-2.0
//
// Keys that were changed on their way, by chance or by a liar: whatever they say, nothing is read
// or written but what was shared, neither at the node whose key it was nor at one that has shared
// nothing. Everything that was not shared is filled with one byte, which nobody may change or see.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <random>

#include "../softnic/over_tcp.h"
#include "../softnic/processes.h"
#include "memories.h"
#include "seeds.h"
#include "softnic/device/context.h"
#include "softnic/wire/tcp_link.h"

namespace verbena::fabric::testing {
namespace {

using softnic::testing::Child;
using softnic::testing::Line;
using softnic::testing::OverTcp;
using Outcome = Done::Outcome;
using KeyBytes = std::array<std::byte, RegionKey::kBytes>;

constexpr std::byte kSecret{0xa5};  // what was not shared
constexpr std::byte kShown{0x11};   // what was
constexpr size_t kBytes = 64 << 10;
/// Neither its start nor its end is that of a page.
constexpr size_t kFrom = 20'488;
constexpr size_t kLength = 3'000;
constexpr size_t kMost = 4096;  // of one operation
constexpr unsigned kWrongKeys = 1'000'000;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr uint64_t kSeeds = 20;
#else
constexpr uint64_t kSeeds = 60;
#endif

bool all(std::span<const std::byte> bytes, std::byte value) {
  return std::ranges::all_of(bytes, [value](std::byte each) { return each == value; });
}
bool has(std::span<const std::byte> bytes, std::byte value) {
  return std::ranges::find(bytes, value) != bytes.end();
}

// ------------------------------------------------------------------ who has shared nothing

/// Where its memory lies and under which number its own device knows it: nothing that it told
/// anybody, but what a liar might guess.
struct Guess {
  uint64_t address;
  uint32_t lkey;
};

struct Wanted {
  enum : uint8_t { Link, Look, End } what;
  connect::LinkId link;
  connect::LinkEnd end;
};

/// The process: links with whoever asks, and looks at its memory when it is told to.
void shareNothing(const Line& line, Wire wire) {
  Node node(3, 303, {}, wire == Wire::Mapped, wiringOf(wire));
  std::shared_ptr<Region> region = node.region(kBytes);
  std::vector<std::byte> own(kBytes, kSecret);
  std::shared_ptr<Region> foreign = node.foreign(own);
  std::ranges::fill(region->bytes(), kSecret);
  node.worker().domain().wrongKeys->allowAtOnce(kWrongKeys);
  line.tell(Guess{reinterpret_cast<uintptr_t>(region->bytes().data()), region->lkey()});
  connect::LinkId link = 0;
  for (;;) {
    auto wanted = line.hear<Wanted>();
    if (wanted.what == Wanted::Look) line.tell(all(region->bytes(), kSecret) && all(own, kSecret));
    if (wanted.what == Wanted::Look) continue;
    if (link != 0) node.close(link);
    if (wanted.what == Wanted::End) return;
    link = wanted.link;
    line.tell(must(node.worker().create(node.memory(), {link, 1, kOneSided, nullptr, 101})));
    must(node.worker().connect(link, wanted.end));
    node.worker().ready(link);
    line.tell(true);
  }
}

// ------------------------------------------------------------------ who tries

class ChangedKeys : public ::testing::TestWithParam<Wire> {
 protected:
  enum class At : uint8_t { Target, Stranger };
  static constexpr At kEverywhere[] = {At::Target, At::Stranger};

  ChangedKeys() {
    if (GetParam() == Wire::Tcp) tcp_.emplace();
    folders_[0].emplace();
    child_.emplace([](const Line& line) { shareNothing(line, GetParam()); });
    if (GetParam() == Wire::Tcp) folders_[1].emplace();  // each on a host of its own
    target_ = node(2, 202);
    target_->worker().domain().wrongKeys->allowAtOnce(kWrongKeys);
    if (GetParam() == Wire::Tcp) folders_[2].emplace();
    node_ = node(1, 101);
    fill();
    for (At at : kEverywhere) link(at);
    guess_ = {reinterpret_cast<uintptr_t>(beside_->bytes().data()), beside_->lkey()};
  }
  ~ChangedKeys() override {
    node_->close(links_[0]);
    target_->close(links_[0]);
    node_->close(links_[1]);
    tell(Wanted::End);
    EXPECT_EQ(child_->wait(), 0);
  }

  void SetUp() override {
    if (GetParam() != Wire::Tcp) return;
    std::string device = node_->worker().domain().selection.device.name();
    if (!device.starts_with("softnic")) GTEST_SKIP() << device << " has no wire of softnic's";
    softnic::Context& context = softnic::contextOf(node_->worker().domain().context.get());
    std::lock_guard guard(context.lock);
    ASSERT_EQ(context.links.size(), 2U);
    for (const std::shared_ptr<softnic::Link>& each : context.links) {
      ASSERT_NE(dynamic_cast<softnic::TcpLink*>(each.get()), nullptr);
    }
  }

  /// All that can be tried with it, of one kind, at one node.
  void tryKey(At at, RegionKey key, Operation operation) {
    bool atomic = isAtomic(operation);
    uint64_t most = atomic ? 8 : kMost;
    // From the start on, and what lies behind all that was shared, if the key says that it does.
    uint64_t last = key.length < 8 ? 0 : key.length - 8;
    for (uint64_t offset : {uint64_t{0}, key.length > kLength ? uint64_t{kLength} : last}) {
      if (offset < key.length)
        attempt(at, key, operation, offset, std::min(most, key.length - offset));
    }
  }
  /// As a liar, whose key is of the node and allows everything.
  void lie(At at, RegionKey key, Operation operation) {
    key.owner = at == At::Target ? 2 : 3;
    key.incarnation = at == At::Target ? 202 : 303;
    key.access = kAllAccess;
    tryKey(at, key, operation);
  }
  /// Whatever these bytes are, by whoever has them.
  void tryBytes(const KeyBytes& bytes, Operation operation) {
    base::Result<RegionKey> key = RegionKey::of(bytes);
    if (!key) return;
    tryKey(At::Target, *key, operation);
    bool isNews = key->owner != 2 || key->incarnation != 202 || key->access != kAllAccess;
    if (isNews) lie(At::Target, *key, operation);
    lie(At::Stranger, *key, operation);
  }

  void expectNobodyTouched() {
    auto shared = region_->bytes();
    ASSERT_TRUE(all(shared.first(kFrom), kSecret));
    ASSERT_TRUE(all(shared.subspan(kFrom + kLength), kSecret));
    ASSERT_TRUE(all(beside_->bytes().first(kFrom), kSecret));
    ASSERT_TRUE(all(beside_->bytes().subspan(kFrom, kLength), kShown)) << "it is for gets alone";
    ASSERT_TRUE(all(beside_->bytes().subspan(kFrom + kLength), kSecret));
    ASSERT_TRUE(all(own_, kSecret));
    tell(Wanted::Look);
    ASSERT_TRUE(child_->line().hear<bool>()) << "at the one who shared nothing";
  }

  static constexpr Operation kOperations[] = {Operation::put, Operation::get, Operation::fetchAdd};
  RegionKey key_, readable_;
  Guess guess_{}, strangers_{};

 private:
  std::unique_ptr<Node> node(connect::NodeId id, uint64_t incarnation) const {
    return std::make_unique<Node>(id, incarnation, WorkerOptions{}, GetParam() == Wire::Mapped,
                                  wiringOf(GetParam()));
  }

  void fill() {
    region_ = target_->region(kBytes);
    beside_ = target_->region(kBytes);
    foreign_ = target_->foreign(own_);
    for (auto& each : {region_, beside_}) std::ranges::fill(each->bytes(), kSecret);
    std::ranges::fill(beside_->bytes().subspan(kFrom, kLength), kShown);
    std::ranges::fill(region_->bytes().subspan(kFrom, kLength), kShown);
    key_ = must(region_->share(kFrom, kLength, kAllAccess));
    readable_ = must(beside_->share(kFrom, kLength, kRemoteGet));
    local_ = node_->region(kMost);
    strangers_ = child_->line().hear<Guess>();
  }

  void tell(decltype(Wanted::what) what) const { child_->line().tell(Wanted{what, 0, {}}); }

  void link(At at) {
    connect::LinkId id = links_[at == At::Target ? 0 : 1] = ++lastLink_;
    if (at == At::Target) return connect(*node_, *target_, id);
    const Line& line = child_->line();
    line.tell(
        Wanted{Wanted::Link, id,
               must(node_->worker().create(node_->memory(), {id, 3, kOneSided, nullptr, 303}))});
    must(node_->worker().connect(id, line.hear<connect::LinkEnd>()));
    node_->worker().ready(id);
    line.hear<bool>();  // before that it may not have come to RTS, which an error of ours prevents
  }
  void linkAgain(At at) {
    connect::LinkId id = linkOf(at);
    node_->close(id);
    if (at == At::Target) target_->close(id);
    link(at);
    ASSERT_EQ(node_->run(linkOf(at), {.operation = Operation::flush}), Outcome::done)
        << "a link comes again";
  }
  connect::LinkId linkOf(At at) const { return links_[at == At::Target ? 0 : 1]; }

  static bool isWithin(const RegionKey& key, const RegionKey& shared, uint64_t offset,
                       uint64_t length) {
    uint64_t from = key.address + offset - shared.address;
    return key.rkey == shared.rkey && from <= shared.length && length <= shared.length - from;
  }
  bool mayBe(At at, const RegionKey& key, Operation operation, uint64_t offset,
             uint64_t length) const {
    if (at == At::Stranger) return false;
    return isWithin(key, key_, offset, length) ||
           (operation == Operation::get && isWithin(key, readable_, offset, length));
  }

  void attempt(At at, const RegionKey& key, Operation operation, uint64_t offset, uint64_t length) {
    SCOPED_TRACE(std::string(nameOf(operation)) + " of " + std::to_string(length) + " at " +
                 std::to_string(key.address) + " + " + std::to_string(offset) + " by key " +
                 std::to_string(key.rkey));
    std::ranges::fill(local_->bytes(), operation == Operation::put ? std::byte{0xff} : std::byte{});
    Request request{.operation = operation,
                    .local = local_.get(),
                    .key = key,
                    .offset = offset,
                    .length = length,
                    .operand = 1};
    auto posted = node_->memory().post(linkOf(at), std::span(&request, 1));
    if (!posted) return;  // refused here
    ASSERT_EQ(*posted, 1U);
    std::vector<Done> done = node_->await(1);
    ASSERT_EQ(done.size(), 1U);
    if (done.front().outcome == Outcome::done) {
      ASSERT_TRUE(mayBe(at, key, operation, offset, length)) << "it was executed";
    } else {
      ASSERT_FALSE(mayBe(at, key, operation, offset, length)) << "it was refused";
      linkAgain(at);
    }
    if (operation != Operation::put) {
      ASSERT_FALSE(has(local_->bytes(), kSecret)) << "it was seen";
    }
  }

  std::optional<OverTcp> tcp_;
  std::optional<Folders> folders_[3];
  std::optional<Child> child_;  // before anything is opened here
  std::vector<std::byte> own_ = std::vector<std::byte>(kBytes, kSecret);
  std::unique_ptr<Node> target_, node_;
  std::shared_ptr<Region> region_, beside_, foreign_, local_;
  connect::LinkId lastLink_ = 0, links_[2] = {};
};

INSTANTIATE_TEST_SUITE_P(Wires, ChangedKeys, ::testing::ValuesIn(wires()), nameOfWire);

TEST_P(ChangedKeys, InAnyBitReachNothingThatWasNotShared) {
  for (size_t bit = 0; bit < 8 * RegionKey::kBytes && !HasFailure(); bit++) {
    SCOPED_TRACE("bit " + std::to_string(bit));
    KeyBytes bytes = key_.bytes();
    bytes[bit / 8] ^= std::byte{1} << bit % 8;
    tryBytes(bytes, Operation::put);
    tryBytes(bytes, bit % 2 == 0 ? Operation::get : Operation::fetchAdd);
    if (bit % 8 == 7) expectNobodyTouched();
  }
}

TEST_P(ChangedKeys, InSeveralBitsReachNothingThatWasNotShared) {
  Seeds seeds = Seeds::wanted(kSeeds);
  for (uint64_t seed = seeds.first; seed <= seeds.last; seed++) {
    std::mt19937_64 random(seed);
    KeyBytes bytes = (random() % 4 == 0 ? readable_ : key_).bytes();
    for (auto flips = 2 + random() % 3; flips > 0; flips--) {
      // The version alone says nothing of what is reached.
      size_t bit = 8 + random() % (8 * (RegionKey::kBytes - 1));
      bytes[bit / 8] ^= std::byte{1} << bit % 8;
    }
    tryBytes(bytes, kOperations[random() % 3]);
    expectNobodyTouched();
    ASSERT_FALSE(HasFailure()) << "VERBENA_SEED=" << seed;
  }
}

/// One that knows where everything lies, and what it is called at its own device.
TEST_P(ChangedKeys, ThatNameWhatWasNeverSharedReachNothing) {
  for (At at : kEverywhere) {
    Guess guess = at == At::Target ? guess_ : strangers_;
    RegionKey made{.address = guess.address, .length = 3 * 4096, .rkey = guess.lkey};
    for (Operation operation : kOperations) {
      lie(at, made, operation);
      for (uint32_t bit = 0; bit < 32; bit++) {
        RegionKey near = made;
        near.rkey ^= 1U << bit;
        lie(at, near, operation);
      }
      RegionKey shared = key_;
      shared.address = guess.address;
      lie(at, shared, operation);
    }
  }
  expectNobodyTouched();
}

}  // namespace
}  // namespace verbena::fabric::testing
