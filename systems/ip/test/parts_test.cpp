// SPDX-License-Identifier: Apache-2.0
//
// The parts of vbn-ip that need no device: options, the file of nodes, frames, batches, words.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <random>
#include <vector>

#include "batch.h"
#include "failure.h"
#include "frame.h"
#include "options.h"
#include "peers.h"
#include "words.h"

namespace verbena::ip {
namespace {

using Bytes = std::vector<std::byte>;

template <typename Call>
std::string failureOf(Call call) {
  try {
    call();
  } catch (const Error& failure) {
    return failure.what();
  }
  return "nothing has failed";
}

bool says(const std::string& sentence, const std::string& part) {
  return sentence.find(part) != std::string::npos;
}

// ------------------------------------------------------------------ the command line

TEST(IpOptions, OfUp) {
  Options options = parseOptions(
      std::vector<std::string>{"up", "--node", "3", "--peers", "nodes", "--address", "10.77.0.3/24",
                               "--address", "fd77::3/64", "--mtu", "1500", "--queues", "4",
                               "--policy", "round-robin", "--when-full", "drop", "--ring", "256"});
  EXPECT_EQ(options.command, Command::up);
  EXPECT_EQ(options.network.node, 3U);
  ASSERT_EQ(options.network.tap.addresses.size(), 2U);
  EXPECT_EQ(options.network.tap.addresses[0].text(), "10.77.0.3");
  EXPECT_EQ(options.network.tap.addresses[1].text(), "fd77::3");
  EXPECT_EQ(options.network.tap.addresses[1].prefix, 64);
  EXPECT_EQ(options.network.tap.mtu, 1500U);
  EXPECT_EQ(options.network.tap.policy, Policy::roundRobin);
  EXPECT_FALSE(options.network.stopsWhenFull);
  EXPECT_EQ(options.network.ringBytes, 256U << 10);
}

TEST(IpOptions, ThatCannotBeAreNamedWithTheirLimits) {
  auto failure = [](std::vector<std::string> words) {
    return failureOf([&] { parseOptions(words); });
  };
  EXPECT_TRUE(says(failure({"up"}), "it needs --node and --peers"));
  EXPECT_TRUE(says(failure({"up", "--node", "1024"}), "'1024' is not between 0 and 1023"));
  EXPECT_TRUE(says(failure({"up", "--mtu", "65522"}), "68 and 65521"));
  EXPECT_TRUE(says(failure({"up", "--ring", "300"}), "no power of two"));
  EXPECT_TRUE(says(failure({"up", "--address", "10.0.0.1"}), "bits of its network"));
  EXPECT_TRUE(says(failure({"up", "--address", "10.0.0.1/33"}), "bits of its network"));
  EXPECT_TRUE(says(failure({"up", "--policy", "best"}), "none of flow, cpu, round-robin"));
  EXPECT_TRUE(says(failure({"up", "--speed", "1"}), "--speed"));
  EXPECT_TRUE(says(failure({"up", "--node"}), "its value is missing"));
  EXPECT_TRUE(says(failure({"sideways"}), "none of up, down, status"));
}

class NodesFile : public ::testing::Test {
 protected:
  NodesFile() : path_(::testing::TempDir() + "nodes-" + std::to_string(getpid())) {}
  ~NodesFile() override { unlink(path_.c_str()); }

  std::string failureWith(const std::string& text) {
    write(text);
    return failureOf([&] { readPeers(path_); });
  }
  void write(const std::string& text) { std::ofstream(path_) << text; }

  const std::string path_;
};

TEST_F(NodesFile, HasALineForEach) {
  write("# two nodes\n\n1 10.0.0.1:4800 # the first\n  2 [fd00::2]:4801\n");
  auto nodes = readPeers(path_);
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes.at(1).text(), "10.0.0.1:4800");
  EXPECT_EQ(nodes.at(2).host, "fd00::2");
  EXPECT_EQ(nodes.at(2).text(), "[fd00::2]:4801");
}

TEST_F(NodesFile, NamesTheLineThatIsWrong) {
  EXPECT_TRUE(says(failureWith("1 10.0.0.1:4800\n1 10.0.0.2:4800\n"), "line 2"));
  EXPECT_TRUE(says(failureWith("1024 10.0.0.1:4800\n"), "0 to 1023"));
  EXPECT_TRUE(says(failureWith("x 10.0.0.1:4800\n"), "line 1"));
  EXPECT_TRUE(says(failureWith("1\n"), "line 1"));
  EXPECT_TRUE(says(failureWith("1 10.0.0.1:4800 more\n"), "line 1"));
  EXPECT_TRUE(says(failureWith("1 10.0.0.1\n"), "host:port"));
  EXPECT_TRUE(says(failureWith("1 10.0.0.1:70000\n"), "host:port"));
  std::string many;
  for (int i = 0; i < 258; i++) many += std::to_string(i) + " 10.0.0.1:4800\n";
  EXPECT_TRUE(says(failureWith(many), "at most 257"));
  EXPECT_TRUE(says(failureOf([] { readPeers("/nowhere/nodes"); }), "ENOENT"));
}

// ------------------------------------------------------------------ frames

/// Of TCP over IPv4, with virtio's header.
Bytes superFrame(size_t frameBytes) {
  Bytes bytes(kHeaderBytes + frameBytes);
  bytes[0] = std::byte{1};                    // the checksum is partial
  bytes[1] = std::byte{1};                    // TCP over IPv4
  base::putLittle<uint16_t>(bytes, 2, 54);    // headers
  base::putLittle<uint16_t>(bytes, 4, 1448);  // a segment
  base::putLittle<uint16_t>(bytes, 6, 34);    // the checksum is of what follows
  base::putLittle<uint16_t>(bytes, 8, 16);
  Mac to = macOf(2);
  Mac from = macOf(1);
  std::memcpy(bytes.data() + kHeaderBytes, to.data(), to.size());
  std::memcpy(bytes.data() + kHeaderBytes + 6, from.data(), from.size());
  return bytes;
}

Drop faultOf(const Bytes& bytes) {
  std::span<const std::byte> frame = std::span(bytes).subspan(kHeaderBytes);
  return Heading::of(bytes, frame).fault(frame.size());
}

TEST(IpFrames, ThatAreGoodPass) {
  EXPECT_EQ(faultOf(superFrame(60'000)), Drop::none);
  Bytes plain = superFrame(60);
  std::memset(plain.data(), 0, kHeaderBytes);
  EXPECT_EQ(faultOf(plain), Drop::none);
  Heading heading = Heading::of(plain, std::span(plain).subspan(kHeaderBytes));
  EXPECT_EQ(nameOf(heading.source), "02:56:42:00:00:01");
  EXPECT_EQ(heading.destination, macOf(2));
  EXPECT_FALSE(heading.isSuperFrame());
}

TEST(IpFrames, ThatLieAreNamed) {
  auto changed = [](size_t at, uint16_t value) {
    Bytes bytes = superFrame(1'000);
    base::putLittle(bytes, at, value);
    return faultOf(bytes);
  };
  EXPECT_EQ(changed(0, 0x0104), Drop::unknownFlags);
  EXPECT_EQ(changed(0, 0x0301), Drop::unknownSegments) << "fragments of UDP, which nobody offers";
  EXPECT_EQ(changed(0, 0x0100), Drop::unknownSegments) << "without a partial checksum";
  EXPECT_EQ(changed(2, 1'001), Drop::headersOutside);
  EXPECT_EQ(changed(2, 13), Drop::headersOutside);
  EXPECT_EQ(changed(4, 0), Drop::segmentSize);
  EXPECT_EQ(changed(6, 999), Drop::checksumOutside);
  EXPECT_EQ(changed(6, 0), Drop::checksumOutside);
  EXPECT_EQ(changed(8, 0xFFFF), Drop::checksumOutside);
  EXPECT_EQ(faultOf(superFrame(kMostFrame + 1)), Drop::tooLong);
  for (int i = 0; i < static_cast<int>(Drop::count); i++) {
    EXPECT_STRNE(nameOf(static_cast<Drop>(i)), "") << i;
  }
}

// ------------------------------------------------------------------ batches

Bytes batchOf(const std::vector<Bytes>& frames) {
  Bytes batch;
  for (const Bytes& each : frames) {
    size_t at = batch.size();
    batch.resize(at + placeOf(each.size() - kHeaderBytes), std::byte{0xEE});
    std::span<std::byte> place = std::span(batch).subspan(at);
    std::memcpy(insideOf(place).data(), each.data(), each.size());
    EXPECT_EQ(closePlace(place, each.size()), place.size());
  }
  return batch;
}

TEST(IpBatches, BringWhatWasPutIn) {
  std::vector<Bytes> frames = {superFrame(60), superFrame(61), superFrame(kMostFrame),
                               superFrame(14)};
  Bytes bytes = batchOf(frames);
  Batch batch(bytes);
  for (const Bytes& each : frames) {
    auto entry = batch.next();
    ASSERT_TRUE(entry);
    EXPECT_TRUE(std::ranges::equal(*entry, each));
  }
  EXPECT_FALSE(batch.next());
  EXPECT_FALSE(batch.failed());
}

/// A million: nothing is read beyond the message, which ends where its memory does.
TEST(IpBatches, ThatWereChangedHarmNothing) {
  std::mt19937_64 random(38);
  const Bytes good = batchOf({superFrame(60), superFrame(90), superFrame(200)});
  uint64_t whole = 0;
  uint64_t refused = 0;
  for (int i = 0; i < 1'000'000; i++) {
    Bytes bytes(good.begin(), good.end() - static_cast<ptrdiff_t>(random() % 3 * (random() % 200)));
    bytes.shrink_to_fit();
    for (uint64_t changes = random() % 4; changes > 0; changes--) {
      bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    }
    Batch batch(bytes);
    bool isGood = true;
    while (auto entry = batch.next()) {
      ASSERT_GE(entry->data(), bytes.data());
      ASSERT_LE(entry->data() + entry->size(), bytes.data() + bytes.size());
      auto frame = entry->subspan(kHeaderBytes);
      isGood = isGood && frame.size() >= kEthernetBytes &&
               Heading::of(*entry, frame).fault(frame.size()) == Drop::none;
    }
    isGood && !batch.failed() ? whole++ : refused++;
  }
  EXPECT_GT(whole, 100'000U);
  EXPECT_GT(refused, 100'000U);
}

TEST(IpWords, AreReadAsTheyWereSaid) {
  Hello hello{.takesUdpSuperFrames = true, .mtu = 9000, .mac = macOf(300)};
  auto heard = helloIn(hello.bytes());
  ASSERT_TRUE(heard);
  EXPECT_TRUE(heard->takesUdpSuperFrames);
  EXPECT_EQ(heard->mtu, 9000U);
  EXPECT_EQ(heard->mac, macOf(300));
  auto wish = readFromIn(ReadFrom{7}.bytes());
  ASSERT_TRUE(wish);
  EXPECT_EQ(wish->queue, 7);
  EXPECT_FALSE(readFromIn(hello.bytes()));
  EXPECT_FALSE(helloIn(Bytes(3)));
  Bytes word = hello.bytes();
  Batch batch(word);
  EXPECT_FALSE(batch.next()) << "a word is no batch";
  EXPECT_TRUE(batch.failed());
}

}  // namespace
}  // namespace verbena::ip
