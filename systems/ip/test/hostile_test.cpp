// SPDX-License-Identifier: Apache-2.0
//
// A node whose peer writes what it likes. The test's process has a network namespace of its own,
// and in it the interface.
#include <gtest/gtest.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "batch.h"
#include "network.h"
#include "report.h"
#include "words.h"

namespace verbena::ip {
namespace {

using namespace std::chrono_literals;
using Bytes = std::vector<std::byte>;

constexpr auto kPatience = 60s;
constexpr uint32_t kSelf = 1;
constexpr uint32_t kStranger = 2;
constexpr std::array<uint8_t, 4> kAddress{10, 77, 0, 1};
constexpr std::array<uint8_t, 4> kItsAddress{10, 77, 0, 2};

/// False where this machine lets nobody.
bool enterOwnNamespace() {
  if (access("/dev/net/tun", R_OK | W_OK) != 0 || unshare(CLONE_NEWNET) != 0) return false;
  base::FileDescriptor any(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq loopback{};
  std::strcpy(loopback.ifr_name, "lo");
  loopback.ifr_flags = IFF_UP;
  return ioctl(any.get(), SIOCSIFFLAGS, &loopback) == 0;
}

void add(Bytes& to, std::span<const uint8_t> bytes) {
  for (uint8_t each : bytes) to.push_back(std::byte{each});
}

/// Asks for the node's address, as if the peer had it.
Bytes arpRequest(const Mac& source) {
  Bytes bytes(kHeaderBytes);
  add(bytes, Mac{0xff, 0xff, 0xff, 0xff, 0xff, 0xff});
  add(bytes, source);
  add(bytes, std::array<uint8_t, 10>{8, 6, 0, 1, 8, 0, 6, 4, 0, 1});
  add(bytes, macOf(kStranger));
  add(bytes, kItsAddress);
  add(bytes, Mac{});
  add(bytes, kAddress);
  return bytes;
}

/// A super-frame of TCP to the node.
Bytes tcpFrame() {
  Bytes bytes = arpRequest(macOf(kStranger));
  bytes.resize(kHeaderBytes + 3'000);
  bytes[0] = bytes[1] = std::byte{1};
  base::putLittle<uint16_t>(bytes, 2, 54);
  base::putLittle<uint16_t>(bytes, 4, 1'448);
  base::putLittle<uint16_t>(bytes, 6, 34);
  base::putLittle<uint16_t>(bytes, 8, 16);
  Mac to = macOf(kSelf);
  std::memcpy(bytes.data() + kHeaderBytes, to.data(), to.size());
  bytes[kHeaderBytes + 12] = std::byte{8};
  bytes[kHeaderBytes + 13] = std::byte{0};
  const std::array<uint8_t, 20> ip{0x45, 0, 0x0b, 0xaa, 0, 0, 0,  0,  64, 6,
                                   0,    0, 10,   77,   0, 2, 10, 77, 0,  1};
  std::memcpy(bytes.data() + kHeaderBytes + kEthernetBytes, ip.data(), ip.size());
  return bytes;
}

Bytes batchOf(std::initializer_list<Bytes> frames) {
  Bytes batch;
  for (const Bytes& each : frames) {
    size_t at = batch.size();
    batch.resize(at + placeOf(each.size() - kHeaderBytes));
    std::span<std::byte> place = std::span(batch).subspan(at);
    std::ranges::copy(each, insideOf(place).begin());
    closePlace(place, each.size());
  }
  return batch;
}

class IpHostile : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!enterOwnNamespace()) GTEST_SKIP() << "it needs root and /dev/net/tun";
    nodes_ = ::testing::TempDir() + "vbn-ip-nodes-" + std::to_string(getpid());
    std::ofstream(nodes_) << "1 127.0.0.1:4801\n2 127.0.0.1:4802\n";
    NetworkOptions options{.node = kSelf, .peersFile = nodes_};
    options.tap.addresses = {IpAddress::parse("", "10.77.0.1/24")};
    network_ = std::make_unique<Network>(options);
    network_->start();
    vbn_fabric_options fabric{};
    fabric.node_id = kStranger;
    fabric.listen = "127.0.0.1:4802";
    fabric.channels = 4;
    stranger_ = std::make_unique<Fabric>(fabric);
    stranger_->addPeer(kSelf, "127.0.0.1:4801");
    reader_ = std::make_unique<ChannelReader>(*stranger_, channelOf(kSelf, 0), 1 << 20);
    open();
  }
  void TearDown() override { unlink(nodes_.c_str()); }

  void open() {
    writer_.reset();
    writer_ =
        std::make_unique<ChannelWriter>(*stranger_, kSelf, channelOf(kStranger, 0), kPatience);
  }
  void write(std::span<const std::byte> message) {
    drain();
    Outcome outcome = Outcome::wouldBlock;
    while ((outcome = writer_->push(message, 1ms)) == Outcome::wouldBlock) drain();
    ASSERT_EQ(outcome, Outcome::done) << writer_->lostBecause();
    static_cast<void>(writer_->nudge());
  }
  void drain() {
    std::span<const std::byte> message;
    while (reader_->peek(message) == Outcome::done) reader_->release();
  }
  /// The kernel's answer to arpRequest() comes by the node.
  bool answers() {
    write(batchOf({arpRequest(macOf(kStranger))}));
    auto deadline = std::chrono::steady_clock::now() + kPatience;
    std::span<const std::byte> message;
    while (std::chrono::steady_clock::now() < deadline) {
      if (reader_->peek(message, 100ms) != Outcome::done) {
        write(batchOf({arpRequest(macOf(kStranger))}));  // its way back was not open yet
        continue;
      }
      Batch batch(message);
      bool isIt = false;
      while (auto entry = batch.next()) {
        auto frame = entry->subspan(kHeaderBytes);
        isIt = isIt || (frame[12] == std::byte{8} && frame[13] == std::byte{6} &&
                        frame[21] == std::byte{2});
      }
      reader_->release();
      if (isIt) return true;
    }
    ADD_FAILURE() << network_->failure() << statusText(*network_);
    return false;
  }
  uint64_t drops(Drop reason) {
    return network_->queue(0).traffic(0).drops[static_cast<size_t>(reason)];
  }
  void sendChanged(int count) {
    std::mt19937_64 random(38);
    const std::array<Bytes, 3> good = {
        batchOf({tcpFrame(), arpRequest(macOf(kStranger)), tcpFrame()}),
        Hello{.takesUdpSuperFrames = true, .mtu = 1500, .mac = macOf(kStranger)}.bytes(),
        ReadFrom{3}.bytes()};
    for (int i = 0; i < count; i++) {
      Bytes bytes = good[random() % 16 < 14 ? 0 : 1 + random() % 2];
      if (random() % 8 == 0) bytes.resize(random() % (bytes.size() + 1));
      for (uint64_t changes = random() % 4; changes > 0 && !bytes.empty(); changes--) {
        // The beginnings of frames have what is looked at.
        size_t most = random() % 2 == 0 ? std::min<size_t>(bytes.size(), 80) : bytes.size();
        bytes[random() % most] = static_cast<std::byte>(random());
      }
      write(bytes);
    }
  }

  std::string nodes_;
  std::unique_ptr<Network> network_;
  std::unique_ptr<Fabric> stranger_;
  std::unique_ptr<ChannelReader> reader_;
  std::unique_ptr<ChannelWriter> writer_;
};

TEST_F(IpHostile, BatchesHarmNothing) {
  ASSERT_TRUE(answers());
  sendChanged(20'000);
  EXPECT_TRUE(answers());
  EXPECT_GT(drops(Drop::noBatch), 100U);
  EXPECT_GT(drops(Drop::foreignSource), 100U);
  EXPECT_GT(drops(Drop::unknownSegments), 10U);
  EXPECT_NE(statusText(*network_).find("foreign-source"), std::string::npos);
}

TEST_F(IpHostile, FramesOfOthersDoNotEnter) {
  ASSERT_TRUE(answers());
  uint64_t before = drops(Drop::foreignSource);
  write(batchOf({arpRequest(macOf(kSelf)), arpRequest(macOf(3)), arpRequest(Mac{})}));
  Bytes forAnother = tcpFrame();
  forAnother[kHeaderBytes + 5] = std::byte{9};
  write(batchOf({forAnother}));
  ASSERT_TRUE(answers());
  EXPECT_EQ(drops(Drop::foreignSource), before + 3);
  EXPECT_EQ(drops(Drop::otherNode), 1U);
}

/// Also while nobody reads from the node whose channel it is.
TEST_F(IpHostile, ANodeCannotBeAnother) {
  vbn_fabric_options options{};
  options.node_id = 7;
  options.listen = "127.0.0.1:0";
  options.channels = 4;
  Fabric another(options);
  another.addPeer(kSelf, "127.0.0.1:4801");
  writer_.reset();
  EXPECT_THROW(ChannelWriter(another, kSelf, channelOf(kStranger, 0), 200ms), Error);
  open();
  EXPECT_TRUE(answers());
}

/// A message in pieces, which lies nowhere as a whole.
TEST_F(IpHostile, AMessageBeyondTheRingIsLeftOut) {
  ASSERT_TRUE(answers());
  write(Bytes(3 << 20));
  EXPECT_TRUE(answers());
  EXPECT_GT(drops(Drop::noBatch), 0U);
}

TEST_F(IpHostile, ABatchIsNotCutByWhoGoes) {
  for (int i = 0; i < 20; i++) {
    ASSERT_TRUE(answers());
    open();
  }
  EXPECT_TRUE(answers());
}

using IpHostileNightly = IpHostile;
TEST_F(IpHostileNightly, AMillionBatchesHarmNothing) {
  sendChanged(1'000'000);
  EXPECT_TRUE(answers());
}

}  // namespace
}  // namespace verbena::ip
