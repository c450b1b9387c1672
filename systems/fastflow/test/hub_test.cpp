// SPDX-License-Identifier: Apache-2.0
#include "verbena/mtcl/hub.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <future>
#include <stdexcept>

#include "hubs.h"

namespace verbena::mtcl::testing {

namespace {

/// One that nobody else has now.
std::string freeAddress() {
  int socket = ::socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* any = reinterpret_cast<sockaddr*>(&address);
  EXPECT_EQ(bind(socket, any, length), 0);
  EXPECT_EQ(getsockname(socket, any, &length), 0);
  close(socket);
  return "localhost:" + std::to_string(ntohs(address.sin_port));
}

}  // namespace

std::string listenSomewhere(Hub& hub) {
  std::string address = freeAddress();
  for (int tries = 0; hub.listen(address) != 0; address = freeAddress()) {
    if (++tries == 20) throw std::runtime_error(Hub::error());
  }
  return address;
}

namespace {

/// What hubs are told, of whoever runs these tests.
const bool kIsSet = setenv("VERBENA_DEVICE", "softnic", 1) == 0 &&
                    setenv("VERBENA_RING_BYTES", std::to_string(kRing).c_str(), 1) == 0;

/// A variable of the environment, for one test.
class Setting {
 public:
  Setting(const char* name, const std::string& value) : name_(name) {
    setenv(name, value.c_str(), 1);
  }
  ~Setting() { unsetenv(name_); }

 private:
  const char* name_;
};

std::string keyFile(const std::string& text) {
  std::string path = ::testing::TempDir() + "key-" + std::to_string(getpid());
  std::ofstream(path) << text;
  return path;
}

bool carries(Dialogue& from, Dialogue& to) {
  char heard = 0;
  return from.send("x", 1) == 1 && to.receive(&heard, 1) == 1 && heard == 'x';
}

TEST(Hub, ConnectsWithWhoListens) {
  ASSERT_TRUE(kIsSet);
  Hub server;
  Hub client;
  std::string address = listenSomewhere(server);
  EXPECT_EQ(server.accept(), nullptr);
  auto here = client.connect(address);
  ASSERT_NE(here, nullptr) << Hub::error();
  auto there = awaitAccept(server);
  ASSERT_NE(there, nullptr);
  EXPECT_TRUE(carries(*here, *there));
  EXPECT_TRUE(carries(*there, *here));
}

TEST(Hub, ConnectsWithItself) {
  Hub hub;
  std::string address = listenSomewhere(hub);
  auto here = hub.connect(address);
  ASSERT_NE(here, nullptr) << Hub::error();
  auto there = awaitAccept(hub);
  ASSERT_NE(there, nullptr);
  EXPECT_TRUE(carries(*here, *there));
}

TEST(Hub, ListensAtSeveralAddresses) {
  Hub server;
  Hub client;
  for (int i = 0; i < 2; i++) {
    std::string address = listenSomewhere(server);
    auto here = client.connect(address);
    ASSERT_NE(here, nullptr) << Hub::error();
    auto there = awaitAccept(server);
    ASSERT_NE(there, nullptr);
    EXPECT_TRUE(carries(*here, *there));
  }
}

TEST(Hub, DialoguesGoOnWithoutIt) {
  std::unique_ptr<Dialogue> here;
  std::unique_ptr<Dialogue> there;
  {
    Hub server;
    Hub client;
    std::string address = listenSomewhere(server);
    here = client.connect(address);
    ASSERT_NE(here, nullptr) << Hub::error();
    there = awaitAccept(server);
  }
  EXPECT_TRUE(carries(*here, *there));
}

TEST(Hub, SaysThatNobodyIsThere) {
  Hub hub;
  errno = 0;
  EXPECT_EQ(hub.connect("127.0.0.1:1"), nullptr);
  EXPECT_EQ(errno, ECONNREFUSED);
  EXPECT_NE(std::string(Hub::error()).find("nothing listens at"), std::string::npos);
  EXPECT_EQ(hub.connect("nonsense"), nullptr);
}

TEST(Hub, AnAddressIsOnesAlone) {
  Hub one;
  Hub other;
  std::string address = listenSomewhere(one);
  EXPECT_EQ(other.listen(address), -1);
  EXPECT_NE(std::string(Hub::error()).find(address.substr(address.find(':'))), std::string::npos)
      << Hub::error();
}

TEST(Hub, AnotherKeyIsRefused) {
  Hub server;
  Hub stranger;
  std::string address;
  {
    Setting key("VERBENA_KEY_FILE", keyFile("a key that is long enough"));
    address = listenSomewhere(server);
    Hub friendly;
    auto accepted = std::async(std::launch::async, [&] { return awaitAccept(server); });
    EXPECT_NE(friendly.connect(address), nullptr) << Hub::error();
    EXPECT_NE(accepted.get(), nullptr);
  }
  EXPECT_EQ(stranger.connect(address), nullptr);
  EXPECT_NE(std::string(Hub::error()).find("has a cluster key"), std::string::npos) << Hub::error();
}

TEST(Hub, AKeyFileWithoutAKeyIsRefused) {
  Hub hub;
  Setting empty("VERBENA_KEY_FILE", keyFile(""));
  EXPECT_EQ(hub.listen("localhost:0"), -1);
  EXPECT_NE(std::string(Hub::error()).find("it has no key"), std::string::npos) << Hub::error();
  Setting missing("VERBENA_KEY_FILE", "/nowhere/at/all");
  EXPECT_EQ(hub.connect("127.0.0.1:1"), nullptr);
  EXPECT_NE(std::string(Hub::error()).find("/nowhere"), std::string::npos) << Hub::error();
}

}  // namespace
}  // namespace verbena::mtcl::testing
