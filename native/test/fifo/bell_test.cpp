// SPDX-License-Identifier: Apache-2.0
//
// Bells: what ends the sleep of another process.
#include "fifo/bell.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>

#include "channels.h"
#include "fifo/names.h"
#include "host/private_folder.h"

namespace verbena::fifo::testing {
namespace {

using std::chrono::nanoseconds;

class Bells : public ::testing::Test {
 protected:
  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const std::string& name : host::namesIn(folder_)) {
      if (name.starts_with("bell-")) found.insert(name);
    }
    return found;
  }
  /// The only one that was not there before.
  Bell added(const std::set<std::string>& before) const {
    for (const std::string& name : names()) {
      if (!before.contains(name))
        return *Bell::find(folder_, std::stoull(name.substr(5), nullptr, 16));
    }
    throw std::runtime_error("there is no new bell");
  }

  Folders folders_;
  const std::string folder_ = folders_.path() + "/rings";
};

TEST_F(Bells, EndTheWaitsOfANode) {
  ChannelNode node(1, {.folder = folder_});
  Bell bell = added({});
  fabric::Worker& worker = node.node().worker();
  for (int round = 0; round < 3; round++) {
    uint64_t ticket = worker.arm();
    worker.progress();
    ASSERT_FALSE(isReadable(worker.descriptor()));
    for (int often = 0; often < 100'000; often++) bell.ring();  // more than a pipe has room for
    EXPECT_TRUE(isReadable(worker.descriptor(), kPatience));
    worker.wait(nanoseconds(-1), ticket);
  }
}

TEST_F(Bells, GoWithTheirNode) {
  uint64_t name = 0;
  {
    Bell bell = must(Bell::create(folder_));
    name = bell.name();
    EXPECT_TRUE(Bell::find(folder_, name));
  }
  EXPECT_FALSE(Bell::find(folder_, name));
  EXPECT_TRUE(names().empty());
}

TEST_F(Bells, AreNoOtherFiles) {
  Bell bell = must(Bell::create(folder_));
  std::string path = pathOf(folder_, "bell-", bell.name() + 1);
  std::ofstream(path) << "no pipe";
  EXPECT_FALSE(Bell::find(folder_, bell.name() + 1));
}

/// Nobody does a round of the sleeper's node.
TEST_F(Bells, AreRungByAWriterThatSharesTheMemory) {
  ChannelNode writes(1, {.folder = folder_});
  std::set<std::string> before = names();
  ChannelNode reads(2, {.folder = folder_, .spin = nanoseconds(0)});
  Bell bell = added(before);
  writes.knows(reads);
  auto reader = must(reads.channels().openReader(5, kLeastCapacity));
  auto writer = must(writes.channels().openWriter(2, 5, kPatience));
  ASSERT_TRUE(writer->isShared());
  End* self = reader.get();
  int rings = 0;
  bool rung = reads.channels().await({Ends(&self, 1)}, kPatience, [&] {
    EXPECT_EQ(writer->push(bytesOf("x"), nanoseconds(0)), Outcome::done);
    std::span<const std::byte> message;
    EXPECT_EQ(reader->peek(message), Outcome::done);
    reader->release();
    rings++;
    return isReadable(bell.descriptor());
  });
  EXPECT_TRUE(rung);
  EXPECT_GT(rings, 1) << "a reader that does not sleep was woken";
}

TEST_F(Bells, AreRungByAReaderThatSharesTheMemory) {
  ChannelNode reads(2, {.folder = folder_});
  std::set<std::string> before = names();
  ChannelNode writes(1, {.folder = folder_, .spin = nanoseconds(0)});
  Bell bell = added(before);
  writes.knows(reads);
  auto reader = must(reads.channels().openReader(5, kLeastCapacity));
  auto writer = must(writes.channels().openWriter(2, 5, kPatience));
  End* self = writer.get();
  EXPECT_TRUE(writes.channels().await({Ends(&self, 1)}, kPatience, [&] {
    EXPECT_EQ(writer->push(bytesOf("x"), nanoseconds(0)), Outcome::done);
    std::span<const std::byte> message;
    EXPECT_EQ(reader->peek(message), Outcome::done);
    reader->release();
    return isReadable(bell.descriptor());
  }));
}

}  // namespace
}  // namespace verbena::fifo::testing
