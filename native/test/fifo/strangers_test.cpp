// SPDX-License-Identifier: Apache-2.0
//
// Who does not belong to a channel's nodes: another program at the port, another cluster key,
// another version. They are refused with a sentence, and channels that are there go on.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../softnic/over_tcp.h"
#include "../softnic/processes.h"
#include "base/descriptor.h"
#include "base/wire.h"
#include "channels.h"
#include "fabric/link_user.h"
#include "fifo/words.h"

namespace verbena::fifo::testing {
namespace {

using namespace std::chrono_literals;
using base::FileDescriptor;
using softnic::testing::Child;
using softnic::testing::Line;
using softnic::testing::OverTcp;

constexpr const char* kKey = "the key of a cluster, 32 bytes..";

sockaddr_in loopback(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}
const sockaddr* generic(const sockaddr_in& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}
uint16_t portOf(const std::string& address) {
  return static_cast<uint16_t>(std::stoul(address.substr(address.rfind(':') + 1)));
}

/// A channel from node 1 to node 2, which has to go on whatever strangers do.
class Strangers : public ::testing::Test {
 protected:
  Strangers() {
    one_.knows(two_);
    reader_ = must(two_.channels().openReader(kNumber, kCapacity));
    writer_ = must(one_.channels().openWriter(2, kNumber, kPatience));
  }
  Place place(const std::string& key = "") const {
    return {.share = false, .folder = folders_.path() + "/rings", .key = key};
  }
  void expectThatItGoesOn() {
    std::string text = "message " + std::to_string(++sent_);
    EXPECT_EQ(writer_->push(bytesOf(text), kPatience), Outcome::done) << writer_->lostBecause();
    std::array<std::byte, 64> into{};
    Popping message{into};
    ASSERT_EQ(reader_->pop(message, kPatience), Outcome::done) << reader_->lostBecause();
    EXPECT_EQ(textOf(std::span(into).first(message.bytes)), text);
  }
  /// Of node 2's next reader, by a node that may not.
  static void expectRefusal(ChannelNode& by, const std::string& why) {
    auto writer = by.channels().openWriter(2, kNumber + 1, kPatience);
    ASSERT_FALSE(writer);
    EXPECT_NE(writer.error().sentence().find(why), std::string::npos) << writer.error().sentence();
  }

  Folders folders_;
  ChannelNode one_{1, place(kKey)};
  ChannelNode two_{2, place(kKey)};
  std::unique_ptr<Reader> reader_;
  std::unique_ptr<Writer> writer_;
  int sent_ = 0;
};

TEST_F(Strangers, OfAnotherClusterKeyIsRefused) {
  auto next = must(two_.channels().openReader(kNumber + 1, kCapacity));
  for (const char* key : {"the key of another cluster, .....", ""}) {
    ChannelNode stranger(3, place(key));
    stranger.knows(two_);
    expectRefusal(stranger, "cluster key");
    expectThatItGoesOn();
  }
  ChannelNode friendly(4, place(kKey));
  friendly.knows(two_);
  EXPECT_TRUE(friendly.channels().openWriter(2, kNumber + 1, kPatience))
      << "the reader waits still";
}

/// A program that has the port of a reader's node, and speaks something else.
void answerOtherwise(const Line& line) {
  FileDescriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_in own = loopback(0);
  EXPECT_EQ(bind(socket.get(), generic(own), sizeof own), 0);
  socklen_t length = sizeof own;
  EXPECT_EQ(getsockname(socket.get(), reinterpret_cast<sockaddr*>(&own), &length), 0);
  line.tell(ntohs(own.sin_port));
  for (bool heard = false;; heard = true) {
    std::array<char, 2048> asked{};
    sockaddr_in from{};
    length = sizeof from;
    ssize_t bytes = recvfrom(socket.get(), asked.data(), asked.size(), 0,
                             reinterpret_cast<sockaddr*>(&from), &length);
    if (bytes < 0) return;
    if (!heard) line.tell(true);
    std::string_view answer = "HTTP/1.1 400 Bad Request\r\n\r\n";
    sendto(socket.get(), answer.data(), answer.size(), 0, generic(from), sizeof from);
    sendto(socket.get(), asked.data(), static_cast<size_t>(bytes), 0, generic(from), sizeof from);
  }
}

TEST(StrangersAtThePort, OfAReaderAreNotTakenForOne) {
  Folders folders;
  Child program(answerOtherwise);
  ChannelNode node(1, {.folder = folders.path() + "/rings"});
  node.knows(2, "127.0.0.1:" + std::to_string(program.line().hear<uint16_t>()));
  auto writer = node.channels().openWriter(2, kNumber, 2s);
  ASSERT_FALSE(writer);
  EXPECT_NE(writer.error().sentence().find("node 2"), std::string::npos)
      << writer.error().sentence();
  EXPECT_TRUE(program.line().hear<bool>()) << "it was asked, and has answered";
}

TEST_F(Strangers, ThatSpeakOtherwiseToTheNodesDisturbNothing) {
  FileDescriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  std::mt19937 random(17);
  for (int round = 0; round < 50; round++) {
    for (const ChannelNode* node : {&one_, &two_}) {
      sockaddr_in to = loopback(portOf(node->address()));
      std::vector<char> bytes(random() % 1'400);
      for (char& each : bytes) each = static_cast<char>(random());
      sendto(socket.get(), bytes.data(), bytes.size(), 0, generic(to), sizeof to);
    }
    expectThatItGoesOn();
  }
}

/// Until the other side leaves.
void listenToTheEnd(const FileDescriptor& socket) {
  timeval patience{120, 0};
  setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  std::array<char, 4096> heard{};
  ssize_t bytes = 1;
  while (bytes > 0) bytes = recv(socket.get(), heard.data(), heard.size(), 0);
  EXPECT_FALSE(bytes < 0 && errno == EAGAIN) << "it waits for a stranger";
}

/// A program that connects with devices' ports of TCP.
TEST(StrangersAtThePort, OfADeviceOverTcpDisturbNothing) {
  if (testDevice() != "softnic") GTEST_SKIP() << "for softnic's wire";
  Folders folders;
  OverTcp tcp;
  Place place{.share = false, .folder = folders.path() + "/rings", .key = kKey};
  ChannelNode one(1, place), two(2, place);
  one.knows(two);
  auto reader = must(two.channels().openReader(kNumber, kCapacity));
  auto writer = must(one.channels().openWriter(2, kNumber, kPatience));
  std::vector<FileDescriptor> strangers;
  for (uint16_t port = tcp.basePort(); port < tcp.basePort() + 4; port++) {
    FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in to = loopback(port);
    if (::connect(socket.get(), generic(to), sizeof to) != 0) continue;
    std::string_view asked = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    EXPECT_GT(send(socket.get(), asked.data(), asked.size(), MSG_NOSIGNAL), 0);
    strangers.push_back(std::move(socket));
  }
  EXPECT_GE(strangers.size(), 2U) << "both devices listen";
  for (int i = 0; i < 50; i++) {
    EXPECT_EQ(writer->push(bytesOf("on"), kPatience), Outcome::done);
    std::span<const std::byte> message;
    EXPECT_EQ(reader->peek(message, kPatience), Outcome::done) << reader->lostBecause();
    reader->release();
  }
  for (const FileDescriptor& each : strangers) listenToTheEnd(each);
}

// ------------------------------------------------------------------ another version

/// The service of channels as another version may have it: its ends say another number, and more.
class OtherVersion final : public fabric::LinkUser {
 public:
  base::Result<std::vector<std::byte>> say(const connect::NewLink&) override {
    std::vector<std::byte> words(kMostWords);
    base::putLittle<uint16_t>(words, 0, 2);
    return words;
  }
  base::Result<void> hear(const connect::NewLink&, std::span<const std::byte>) override {
    return {};
  }
  void down(connect::LinkId, const std::string&) override {}
  void notUp(connect::LinkId, const std::string&) override {}
  void ended(connect::LinkId) override {}
};

/// A node that has the service so, and no other.
class OtherNode {
 public:
  OtherNode(connect::NodeId id, const std::string& key) {
    node::NodeOptions options;
    options.device.device = testDevice();
    options.worker = {.maxLinks = 4};
    options.manager.self = id;
    options.manager.incarnation = std::random_device()();
    options.manager.listen = "127.0.0.1:0";
    auto bytes = bytesOf(key);
    options.manager.key.assign(bytes.begin(), bytes.end());
    node_ = must(node::Node::open(options));
    memory_ = must(fabric::OneSided::on(node_->worker(), {.links = 4, .user = &user_}));
    must(node_->add(kChannels, *memory_, 4));
    must(node_->start());
  }
  connect::Manager& manager() { return node_->manager(); }

 private:
  OtherVersion user_;
  std::unique_ptr<fabric::OneSided> memory_;
  std::unique_ptr<node::Node> node_;  // last: it goes first
};

constexpr const char* kSays = "does not speak version 1 of channels";

TEST_F(Strangers, OfAnotherVersionDoNotRead) {
  OtherNode other(3, kKey);
  one_.knows(3, other.manager().address());
  auto writer = one_.channels().openWriter(3, kNumber, kPatience);
  ASSERT_FALSE(writer);
  EXPECT_NE(writer.error().sentence().find(kSays), std::string::npos) << writer.error().sentence();
  expectThatItGoesOn();
}

TEST_F(Strangers, OfAnotherVersionDoNotWrite) {
  auto next = must(two_.channels().openReader(kNumber + 1, kCapacity));
  OtherNode other(3, kKey);
  other.manager().addPeer(2, two_.address());
  connect::LinkName name{kChannels, (kNumber + 1) | kWriterIsGreater};
  auto linked = other.manager().get(2, name, kPatience);
  ASSERT_FALSE(linked);
  EXPECT_NE(linked.error().sentence().find(kSays), std::string::npos) << linked.error().sentence();
  expectThatItGoesOn();
  EXPECT_TRUE(one_.channels().openWriter(2, kNumber + 1, kPatience)) << "the reader waits still";
}

/// No packet of theirs could arrive.
TEST_F(Strangers, WithAnotherFolderOfSoftnicsAreRefusedWithItsName) {
  Folders elsewhere;
  ChannelNode three(3, place(kKey));
  three.knows(two_);
  auto other = must(two_.channels().openReader(kNumber + 1, kCapacity));
  auto began = Channels::Clock::now();
  auto writer = three.channels().openWriter(2, kNumber + 1, kPatience);
  ASSERT_FALSE(writer);
  EXPECT_NE(writer.error().sentence().find(folders_.path()), std::string::npos)
      << writer.error().sentence();
  EXPECT_LT(Channels::Clock::now() - began, kPatience / 2);
  expectThatItGoesOn();
}

}  // namespace
}  // namespace verbena::fifo::testing
