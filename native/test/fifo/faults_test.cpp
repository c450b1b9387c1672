// SPDX-License-Identifier: Apache-2.0
//
// One end of a channel is killed, or stands still, in front of every step: of connecting, claiming,
// publishing, peeking, releasing. The other end has what had come, and hears why there is no more,
// within the time after which a peer is dead; others are served as before; nothing is left of it.
#include <sys/mman.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>
#include <vector>

#include "../softnic/over_tcp.h"
#include "softnic/device/context.h"
#include "steps.h"
#include "victims.h"

namespace verbena::fifo::testing {
namespace {

using namespace std::chrono_literals;
using softnic::testing::Child;
using softnic::testing::Line;
using softnic::testing::OverTcp;
using Clock = Channels::Clock;
using std::chrono::milliseconds;

enum class Wire : uint8_t {
  shared,  ///< both ends on one host, with one memory
  device,  ///< on one host, by the device, whose ports share memory
  tcp,     ///< on two hosts, as far as they know
};

constexpr connect::NodeId kFirstVictim = 100;
constexpr milliseconds kDeadAfter{3'000};
/// Of ends whose peer stands still until it is taken for dead.
constexpr milliseconds kDeadSoon{1'000};
/// What a busy machine may add to a time that is promised.
constexpr milliseconds kSlack{30'000};

#if defined(__SANITIZE_ADDRESS__)
constexpr size_t kSlower = 4;
#else
constexpr size_t kSlower = 1;
#endif
constexpr size_t kMostKilled = 48 / kSlower;
constexpr size_t kMostStopped = 12 / kSlower;
/// Descriptors, at most, for the peer that has come last: it is given back when the next one comes.
constexpr size_t kOfOnePeer = 4;

class ChannelFaults : public ::testing::TestWithParam<Wire> {
 protected:
  ChannelFaults() {
    void* memory = mmap(nullptr, (1 + kMostKilled) * sizeof(*done_), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    done_ = static_cast<std::atomic<uint64_t>*>(memory);
    if (GetParam() == Wire::tcp) tcp_.emplace();
  }
  ~ChannelFaults() override { munmap(done_, (1 + kMostKilled) * sizeof(*done_)); }
  void SetUp() override {
    if (!canStep()) GTEST_SKIP() << "nothing can be halted at a step on this machine";
    if (testDevice() != "softnic") GTEST_SKIP() << "for softnic's ways";
  }

  Place place() const {
    return {.share = GetParam() == Wire::shared,
            .folder = here_.path() + "/rings",
            .deadAfter = isKilled() ? kDeadAfter : kDeadSoon,
            .key = GetParam() == Wire::tcp ? "a cluster key of thirty-two bytes" : ""};
  }
  bool isKilled() const { return signal_ == SIGKILL; }

  /// Processes that do it. The first one walks to the end and tells which steps there are. Then
  /// this process's node is there.
  void begin(void (*role)(const Line&, const Victim&), Part part, int signal) {
    signal_ = signal;
    size_t most = 1 + (isKilled() ? kMostKilled : kMostStopped);
    for (size_t i = 0; i < most; i++) {
      Victim victim{static_cast<connect::NodeId>(kFirstVictim + i), place(),
                    GetParam() == Wire::tcp ? elsewhere_.path() : "", part, &done_[i]};
      victims_.push_back(
          std::make_unique<Child>([role, victim](const Line& line) { role(line, victim); }));
    }
    node_ = std::make_unique<ChannelNode>(2, place());
    other_ = std::make_unique<ChannelNode>(3, place());
    other_->knows(*node_);
    EXPECT_TRUE(othersWrite(7'776));
    serveOneMore();
    EXPECT_TRUE(eventually([&] { return ringsMapped() == 0; }));
    registrations_ = registrations();
    descriptors_ = openDescriptors();
  }
  /// The other end of whom it is there.
  const Line& lineOf(size_t victim) const { return victims_[victim]->line(); }
  static connect::NodeId idOf(size_t victim) {
    return static_cast<connect::NodeId>(kFirstVictim + victim);
  }
  void order(size_t victim, uint64_t at) {
    lineOf(victim).tell(Order{.channel = static_cast<uint16_t>(victim),
                              .peer = listens(*node_),
                              .at = at,
                              .signal = signal_,
                              .patience = isKilled() ? milliseconds(kPatience) : 5'000ms});
  }
  /// In front of which steps the others halt: of those at which something changes all, or as many
  /// as there are victims.
  void choose(const Walked& walked) {
    size_t most = victims_.size() - 1;
    std::vector<uint64_t> all(walked.at.begin(),
                              walked.at.begin() + static_cast<std::ptrdiff_t>(walked.changes));
    for (uint64_t step = 1; all.empty() && step <= walked.steps; step++) steps_.push_back(step);
    steps_.insert(steps_.end(), all.begin(), all.end());
    RecordProperty("steps", std::to_string(walked.steps));
    RecordProperty("changes", std::to_string(walked.changes));
    ASSERT_FALSE(steps_.empty());
    if (steps_.size() > most) {
      std::vector<uint64_t> some(most);
      for (size_t i = 0; i < most; i++) some[i] = steps_[i * (steps_.size() - 1) / (most - 1)];
      steps_ = some;
    }
    victims_.resize(1 + steps_.size());
  }

  /// All go, and each has halted when this returns, or has gone past its step: then it halts here.
  void haltAll(size_t first) {
    for (size_t i = first; i < victims_.size(); i++) lineOf(i).tell(true);
    for (size_t i = first; i < victims_.size(); i++) haltOne(*victims_[i]);
    haltedAt_ = Clock::now();
  }
  void haltOne(Child& victim) {
    for (auto end = Clock::now() + kPatience; Clock::now() < end;) {
      if (victim.look() != Child::Change::None) {
        halted_++;
        return;
      }
      if (victim.line().heard()) {
        isKilled() ? victim.kill() : victim.stop();
        return;
      }
      node_->channels().drive();
      std::this_thread::yield();
    }
    FAIL() << "a victim neither halts nor goes on";
  }
  void expectInTime(size_t victim) {
    auto took = Clock::now() - haltedAt_;
    worst_ = std::max(worst_, std::chrono::duration_cast<milliseconds>(took));
    EXPECT_LT(took, place().deadAfter + kSlack) << stepOf(victim);
    RecordProperty("worst_ms", std::to_string(worst_.count()));
  }
  std::string stepOf(size_t victim) const {
    return "halted in front of step " + std::to_string(victim == 0 ? 0 : steps_[victim - 1]);
  }

  /// Those that stand still go on: they hear, too, and leave in order.
  void goOn(size_t first) {
    if (isKilled()) return;
    for (size_t i = first; i < victims_.size(); i++) victims_[i]->goOn();
    for (size_t i = first; i < victims_.size(); i++) {
      SCOPED_TRACE(stepOf(i));
      lineOf(i).hear<Walked>();
      lineOf(i).tell(true);
      EXPECT_TRUE(lineOf(i).hear<bool>()) << "lost, and it is said why";
      EXPECT_EQ(victims_[i]->wait(), 0);
    }
  }

  bool othersWrite(uint16_t number) {
    return othersWrite(*must(node_->channels().openReader(number, kVictimCapacity)));
  }
  /// A node that was not there before is served as well, and has gone when this returns. What the
  /// device has of peers that are gone it gives back when the next one comes.
  void serveOneMore() {
    ChannelNode next(4, place());
    next.knows(*node_);
    auto reader = must(node_->channels().openReader(8'888, kVictimCapacity));
    auto writer = must(next.channels().openWriter(2, 8'888, kPatience));
    EXPECT_EQ(writer->push(victimMessage(0), kPatience), Outcome::done);
    EXPECT_EQ(writer->close(kPatience), Outcome::done);
    std::vector<std::byte> into(kVictimCapacity);
    Popping message{into};
    EXPECT_EQ(reader->pop(message, kPatience), Outcome::done);
    EXPECT_EQ(reader->pop(message, kPatience), Outcome::ended);
  }
  /// Another writer of another node takes the place of one that never came.
  bool othersWrite(Reader& reader) {
    auto writer = other_->channels().openWriter(2, reader.number(), 2s);
    if (!writer) return false;
    std::vector<std::byte> message = victimMessage(1);
    EXPECT_EQ((*writer)->push(message, kPatience), Outcome::done);
    std::vector<std::byte> into(message.size());
    Popping popped{into};
    EXPECT_EQ(reader.pop(popped, kPatience), Outcome::done) << reader.lostBecause();
    EXPECT_EQ(into, message);
    return true;
  }

  /// Nothing is left of the victims: memory, descriptors, files.
  void expectNothingLeft() {
    EXPECT_TRUE(eventually([&] { return registrations() <= registrations_; }))
        << registrations() << " registrations, " << registrations_ << " before";
    EXPECT_TRUE(eventually([&] {
      serveOneMore();
      return openDescriptors() <= descriptors_ + kOfOnePeer;
    })) << openDescriptors()
        << " descriptors, " << descriptors_ << " before";
    EXPECT_TRUE(eventually([&] { return ringsMapped() == 0; }));
    victims_.clear();
    other_.reset();
    node_.reset();
    std::string where = place().folder;
    sweep(elsewhere_.path());
    sweep(here_.path());
    EXPECT_EQ(filesIn(where, "ring-") + filesIn(where, "bell-"), 0U);
    for (const std::string& ports : {here_.path(), elsewhere_.path()}) {
      EXPECT_LE(regularFilesIn(ports), 2U) << "the lock and the name of the folder";
    }
  }
  /// What the dead leave goes when the next node comes.
  void sweep(const std::string& ports) const {
    setenv("VERBENA_SOFTNIC_DIR", ports.c_str(), 1);
    ChannelNode next(4, place());
  }

  template <typename Holds>
  bool eventually(Holds holds) {
    for (auto end = Clock::now() + kSlack; Clock::now() < end;) {
      if (holds()) return true;
      node_->channels().drive();
      other_->channels().drive();
      std::this_thread::sleep_for(1ms);
    }
    return false;
  }
  size_t registrations() const {
    softnic::Context& context = softnic::contextOf(node_->node().worker().domain().context.get());
    std::lock_guard guard(context.lock);
    return context.regions.count();
  }
  static size_t openDescriptors() {
    auto all = std::filesystem::directory_iterator("/proc/self/fd");
    return static_cast<size_t>(
        std::distance(std::filesystem::begin(all), std::filesystem::end(all)));
  }
  static size_t regularFilesIn(const std::string& folder) {
    auto all = std::filesystem::directory_iterator(folder);
    return static_cast<size_t>(
        std::count_if(std::filesystem::begin(all), std::filesystem::end(all),
                      [](const auto& one) { return one.is_regular_file(); }));
  }
  size_t ringsMapped() const {
    std::ifstream maps("/proc/self/maps");
    size_t count = 0;
    for (std::string line; std::getline(maps, line);) {
      count += line.find(place().folder) != std::string::npos ? 1 : 0;
    }
    return count;
  }

  int signal_ = SIGKILL;
  Folders elsewhere_;  // of the other host; before the one that counts here
  Folders here_;
  std::optional<OverTcp> tcp_;
  std::atomic<uint64_t>* done_;  // by victim, in memory of them as well
  std::vector<std::unique_ptr<Child>> victims_;
  std::unique_ptr<ChannelNode> node_;
  std::unique_ptr<ChannelNode> other_;
  size_t registrations_ = 0;
  size_t descriptors_ = 0;
  std::vector<uint64_t> steps_;
  size_t halted_ = 0;  // in the middle
  Clock::time_point haltedAt_{};
  milliseconds worst_{0};
};

std::string nameOf(const ::testing::TestParamInfo<Wire>& way) {
  constexpr const char* kNames[] = {"shared", "device", "tcp"};
  return kNames[static_cast<size_t>(way.param)];
}
constexpr Wire kWays[] = {Wire::shared, Wire::device, Wire::tcp};

// ------------------------------------------------------------------ writers that use their end

class FaultsOfWriters : public ChannelFaults {
 protected:
  void openReaders() {
    for (size_t i = 0; i < victims_.size(); i++) {
      readers_.push_back(
          must(node_->channels().openReader(static_cast<uint16_t>(i), kVictimCapacity)));
    }
  }
  /// The victim is there, what it has written so far is read, and it knows.
  void meet(size_t victim) {
    lineOf(victim).hear<bool>();
    std::vector<std::byte> into(kVictimCapacity);
    for (int i = 0; i < kBeforeIt; i++) {
      Popping message{into};
      EXPECT_EQ(readers_[victim]->pop(message, kPatience), Outcome::done);
      EXPECT_EQ(message.bytes, kBytesBeforeIt);
    }
    // A link may bring messages before this side may post on it: then it is told once more.
    while (!lineOf(victim).heard()) {
      readers_[victim]->tell();
      std::this_thread::yield();
    }
    lineOf(victim).hear<bool>();
  }
  /// How many messages have come, of which each is whole, until the end.
  uint64_t readToTheEnd(size_t victim) {
    SCOPED_TRACE(stepOf(victim));
    Reader& reader = *readers_[victim];
    std::vector<std::byte> into(kVictimCapacity);
    for (uint64_t number = 0;; number++) {
      Popping message{into};
      Outcome got = reader.pop(message, kPatience);
      if (got != Outcome::done) {
        EXPECT_EQ(got, Outcome::lost);
        std::string reason = reader.lostBecause();
        EXPECT_FALSE(reason.empty());
        EXPECT_EQ(reason.find("message"), std::string::npos) << "it left nonsense: " << reason;
        expectInTime(victim);
        return number;
      }
      std::vector<std::byte> expected = victimMessage(number);
      bool isWhole = message.bytes == expected.size() &&
                     std::equal(expected.begin(), expected.end(), into.begin());
      EXPECT_TRUE(isWhole) << "message " << number << " of " << message.bytes << " bytes";
    }
  }

  void haltWriting(int signal) {
    begin(beWriter, Part::use, signal);
    openReaders();
    order(0, 0);
    meet(0);
    lineOf(0).tell(true);
    choose(lineOf(0).hear<Walked>());
    victims_[0]->kill();
    for (size_t i = 1; i < victims_.size(); i++) order(i, steps_[i - 1]);
    for (size_t i = 1; i < victims_.size(); i++) meet(i);
    haltAll(1);
    EXPECT_EQ(readToTheEnd(0), kVictimMessages);
    for (size_t i = 1; i < victims_.size(); i++) {
      uint64_t came = readToTheEnd(i);
      EXPECT_LE(came, done_[i] + 1) << stepOf(i);
      if (GetParam() != Wire::shared) continue;
      EXPECT_GE(came, done_[i]) << "what was published has come; " << stepOf(i);
    }
    EXPECT_GE(halted_, (victims_.size() - 1) / 2) << "they halt in the middle";
    EXPECT_TRUE(othersWrite(7'777));
    goOn(1);
    readers_.clear();
    expectNothingLeft();
  }

  std::vector<std::unique_ptr<Reader>> readers_;
};
INSTANTIATE_TEST_SUITE_P(Ways, FaultsOfWriters, ::testing::ValuesIn(kWays), nameOf);

TEST_P(FaultsOfWriters, OneThatIsKilledAtAnyStep) {
  haltWriting(SIGKILL);
}

TEST_P(FaultsOfWriters, OneThatStandsStillAtAnyStep) {
  haltWriting(SIGSTOP);
}

// ------------------------------------------------------------------ readers that use their end

class FaultsOfReaders : public ChannelFaults {
 protected:
  void link(size_t victim, uint64_t at) {
    order(victim, at);
    node_->knows(idOf(victim), lineOf(victim).hear<Listens>().data());
    auto number = static_cast<uint16_t>(victim);
    writers_.push_back(must(node_->channels().openWriter(idOf(victim), number, kPatience)));
    Writer& writer = *writers_.back();
    EXPECT_EQ(writer.isShared(), GetParam() == Wire::shared);
    for (uint64_t message = 0; message < kVictimMessages; message++) {
      EXPECT_EQ(writer.push(victimMessage(message), kPatience), Outcome::done);
    }
    EXPECT_EQ(writer.flush(kPatience), Outcome::done);
    lineOf(victim).hear<bool>();
  }
  /// It is known how far the reader has come, and that it is no more.
  void writeToTheEnd(size_t victim) {
    SCOPED_TRACE(stepOf(victim));
    Writer& writer = *writers_[victim];
    std::byte* at = nullptr;
    Outcome got = Outcome::done;
    bool isFlushed = true;
    while (got == Outcome::done) {
      got = writer.claim(64, at, kPatience);
      if (got != Outcome::done) break;
      writer.publish(64);
      isFlushed = false;
    }
    // Where memory is mapped its bytes come there though nobody is left to see them.
    if (GetParam() == Wire::tcp && !isFlushed) {
      EXPECT_EQ(writer.flush(kPatience), Outcome::lost);
    }
    EXPECT_EQ(got, Outcome::lost);
    EXPECT_FALSE(writer.lostBecause().empty());
    expectInTime(victim);
    uint64_t released = 0;
    for (uint64_t number = 0; number < done_[victim] && number + 1 < kVictimMessages; number++) {
      released += FrameWord::span(victimMessage(number).size());
    }
    EXPECT_LE(writer.released(), writer.published());
    if (GetParam() == Wire::shared) {
      EXPECT_GE(writer.released(), released) << "what was released is known";
    }
  }

  void haltReading(int signal) {
    begin(beReader, Part::use, signal);
    link(0, 0);
    lineOf(0).tell(true);
    choose(lineOf(0).hear<Walked>());
    victims_[0]->kill();
    for (size_t i = 1; i < victims_.size(); i++) link(i, steps_[i - 1]);
    haltAll(1);
    for (size_t i = 0; i < victims_.size(); i++) writeToTheEnd(i);
    EXPECT_GE(halted_, (victims_.size() - 1) / 2) << "they halt in the middle";
    EXPECT_TRUE(othersWrite(7'777));
    goOn(1);
    writers_.clear();
    expectNothingLeft();
  }

  std::vector<std::unique_ptr<Writer>> writers_;
};
INSTANTIATE_TEST_SUITE_P(Ways, FaultsOfReaders, ::testing::ValuesIn(kWays), nameOf);

TEST_P(FaultsOfReaders, OneThatIsKilledAtAnyStep) {
  haltReading(SIGKILL);
}

TEST_P(FaultsOfReaders, OneThatStandsStillAtAnyStep) {
  haltReading(SIGSTOP);
}

// ------------------------------------------------------------------ connecting

/// Each step is a system call of any thread of the victim.
class FaultsOfConnecting : public ChannelFaults {
 protected:
  /// The first one walks through all of them; `linked` is the other end's part.
  template <typename Linked>
  void walkFirst(Linked linked) {
    lineOf(0).hear<bool>();
    lineOf(0).tell(true);
    linked();
    choose(lineOf(0).hear<Walked>());
    victims_[0]->kill();
  }

  void haltWriters(int signal) {
    begin(beWriter, Part::connect, signal);
    std::vector<std::unique_ptr<Reader>> readers;
    for (size_t i = 0; i < victims_.size(); i++) {
      readers.push_back(
          must(node_->channels().openReader(static_cast<uint16_t>(i), kVictimCapacity)));
    }
    order(0, 0);
    walkFirst([&] { EXPECT_TRUE(eventually([&] { return readers[0]->isLinked(); })); });
    for (size_t i = 1; i < victims_.size(); i++) order(i, steps_[i - 1]);
    for (size_t i = 1; i < victims_.size(); i++) lineOf(i).hear<bool>();
    haltAll(1);
    for (size_t i = 0; i < victims_.size(); i++) {
      SCOPED_TRACE(stepOf(i));
      expectSettled(*readers[i]);
      expectInTime(i);
    }
    EXPECT_GT(halted_, 0U) << "none halts in the middle";  // how many calls it takes is chance
    readers.clear();
    goOn(1);
    expectNothingLeft();
  }
  /// Either it had a writer, which is lost, or it waits for another one, who is served.
  void expectSettled(Reader& reader) {
    std::span<const std::byte> message;
    for (auto end = Clock::now() + kPatience; Clock::now() < end;) {
      Outcome got = reader.peek(message, 10ms);
      if (got == Outcome::lost) {
        EXPECT_FALSE(reader.lostBecause().empty());
        return;
      }
      EXPECT_EQ(got, Outcome::wouldBlock);
      if (!reader.isLinked() && othersWrite(reader)) return;
    }
    FAIL() << "it is neither lost nor served";
  }

  void haltReaders(int signal) {
    begin(beReader, Part::connect, signal);
    // Before one stands still that is making a ring: nobody else makes one then.
    auto another = must(node_->channels().openReader(7'777, kVictimCapacity));
    order(0, 0);
    meet(0);
    walkFirst([&] { connectTo(0); });
    for (size_t i = 1; i < victims_.size(); i++) order(i, steps_[i - 1]);
    for (size_t i = 1; i < victims_.size(); i++) meet(i);
    for (size_t i = 1; i < victims_.size(); i++) lineOf(i).hear<bool>();
    std::vector<std::thread> connecting;
    for (size_t i = 1; i < victims_.size(); i++) {
      connecting.emplace_back([this, i] { connectTo(i); });
    }
    haltAll(1);
    for (std::thread& each : connecting) each.join();
    EXPECT_GT(halted_, 0U) << "none halts in the middle";  // how many calls it takes is chance
    EXPECT_TRUE(othersWrite(*another));
    another.reset();
    goOn(1);
    expectNothingLeft();
  }
  void meet(size_t victim) { node_->knows(idOf(victim), lineOf(victim).hear<Listens>().data()); }
  /// It is refused with a sentence, or linked and hears that the reader is lost, or the first one,
  /// which lives.
  void connectTo(size_t victim) {
    auto number = static_cast<uint16_t>(victim);
    auto patience = victim == 0 ? std::chrono::nanoseconds(kPatience) : 6s;
    auto writer = node_->channels().openWriter(idOf(victim), number, patience);
    if (victim == 0) must(std::move(writer));
    if (victim == 0) return;
    if (!writer) {
      EXPECT_FALSE(writer.error().sentence().empty());
      return;
    }
    std::byte* at = nullptr;
    Outcome got = Outcome::done;
    while (got == Outcome::done) {
      got = (*writer)->claim(64, at, kPatience);
      if (got == Outcome::done) (*writer)->publish(64);
    }
    EXPECT_EQ(got, Outcome::lost);
    EXPECT_FALSE((*writer)->lostBecause().empty());
  }
};
INSTANTIATE_TEST_SUITE_P(Ways, FaultsOfConnecting, ::testing::ValuesIn(kWays), nameOf);

TEST_P(FaultsOfConnecting, AWriterThatIsKilledAtAnyStep) {
  haltWriters(SIGKILL);
}

TEST_P(FaultsOfConnecting, AWriterThatStandsStillAtAnyStep) {
  haltWriters(SIGSTOP);
}

TEST_P(FaultsOfConnecting, AReaderThatIsKilledAtAnyStep) {
  haltReaders(SIGKILL);
}

TEST_P(FaultsOfConnecting, AReaderThatStandsStillAtAnyStep) {
  haltReaders(SIGSTOP);
}

}  // namespace
}  // namespace verbena::fifo::testing
