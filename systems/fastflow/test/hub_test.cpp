// SPDX-License-Identifier: Apache-2.0
#include "verbena/mtcl/hub.h"

#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <future>
#include <stdexcept>
#include <vector>

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

std::string keyFile(const std::string& text, mode_t mode = 0600) {
  std::string path = ::testing::TempDir() + "key-" + std::to_string(getpid());
  std::ofstream(path) << text;
  EXPECT_EQ(chmod(path.c_str(), mode), 0);
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

TEST(Hub, FindsWhoBeginsToListenLater) {
  Hub hub;
  Hub late;
  std::string address = listenSomewhere(late);
  late.close();
  auto made = std::async(std::launch::async, [&] { return hub.connect(address, kPatience); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ASSERT_EQ(late.listen(address), 0) << Hub::error();
  EXPECT_NE(made.get(), nullptr) << Hub::error();
}

TEST(Hub, AnAddressIsOnesAlone) {
  Hub one;
  Hub other;
  std::string address = listenSomewhere(one);
  EXPECT_EQ(other.listen(address), -1);
  EXPECT_NE(std::string(Hub::error()).find(address.substr(address.find(':'))), std::string::npos)
      << Hub::error();
}

/// While it lives, no file of this process may grow.
class FullDisk {
 public:
  FullDisk() {
    former_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit none = before_;
    none.rlim_cur = 0;
    setrlimit(RLIMIT_FSIZE, &none);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, former_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
  void (*former_)(int) = nullptr;
};

/// No memory for the rings of those to come; and others come when there is some again.
TEST(Hub, SaysWhyItTakesNobody) {
  Hub server;
  Hub client;
  std::string address = listenSomewhere(server);
  auto here = client.connect(address);
  ASSERT_NE(here, nullptr) << Hub::error();
  std::unique_ptr<Dialogue> there;
  int said = 0;
  std::string why;
  {
    FullDisk full;
    there = awaitAccept(server);
    EXPECT_EQ(server.accept(), nullptr);
    said = errno;
    why = Hub::error();
  }
  ASSERT_NE(there, nullptr);
  EXPECT_EQ(said, ECONNABORTED);
  EXPECT_NE(why.find("accept at " + address + ": cannot make a channel's ring"), std::string::npos)
      << why;
  EXPECT_EQ(server.accept(), nullptr);
  EXPECT_EQ(errno, EWOULDBLOCK);
  EXPECT_TRUE(carries(*here, *there));
  auto second = client.connect(address);
  ASSERT_NE(second, nullptr) << Hub::error();
  EXPECT_NE(awaitAccept(server), nullptr);
}

/// As with MTCL's TCP the end waits for one that does not read, unless that is bounded.
TEST(Hub, TheEndWaitsForWhoDoesNotReadAsLongAsItMay) {
  Hub server;
  Hub client;
  std::string address = listenSomewhere(server);
  std::unique_ptr<Dialogue> here;
  {
    Setting linger("VERBENA_LINGER_MS", "20");
    here = client.connect(address);
  }
  ASSERT_NE(here, nullptr) << Hub::error();
  auto there = awaitAccept(server);
  ASSERT_NE(there, nullptr);
  std::vector<char> much(4 * kRing);
  auto sent = here->sendLater(much.data(), much.size());
  EXPECT_EQ(here->endSending(), -1);
  EXPECT_EQ(errno, ETIMEDOUT);
  EXPECT_EQ(sent->result(), -1);
  EXPECT_EQ(errno, ETIMEDOUT);
  std::vector<char> into(much.size());
  EXPECT_EQ(there->receive(into.data(), into.size()), -1);
  EXPECT_EQ(errno, ECONNRESET);
}

TEST(Hub, AnotherKeyIsRefused) {
  Hub server;
  Hub stranger;
  std::string address;
  {
    Setting key("VERBENA_KEY_FILE", keyFile("a key that is long enough"));
    address = listenSomewhere(server);
    keyFile("\r\n a key that is long enough\n");  // the same
    Hub friendly;
    auto accepted = std::async(std::launch::async, [&] { return awaitAccept(server); });
    EXPECT_NE(friendly.connect(address), nullptr) << Hub::error();
    EXPECT_NE(accepted.get(), nullptr);
  }
  EXPECT_EQ(stranger.connect(address), nullptr);
  EXPECT_NE(std::string(Hub::error()).find("has a cluster key"), std::string::npos) << Hub::error();
}

/// What a hub says of a setting when it is to listen, and when it is to connect: for the latter it
/// does not wait, though it may.
std::string refusal(const char* name, const std::string& value) {
  Setting wrong(name, value);
  Hub hub;
  EXPECT_EQ(hub.listen("localhost:0"), -1) << name << "=" << value;
  std::string said = Hub::error();
  EXPECT_EQ(hub.connect("127.0.0.1:1", kPatience), nullptr);
  EXPECT_EQ(errno, EADDRNOTAVAIL);
  EXPECT_EQ(Hub::error(), said);
  return said;
}

/// A file as it should be, but for one thing.
TEST(Hub, AKeyFileThatIsNoneOrNotPrivateIsRefused) {
  constexpr const char* kName = "VERBENA_KEY_FILE";
  const std::string key = "a key that is long enough";
  std::string path = keyFile("");
  std::string named = std::string(kName) + "=" + path;
  EXPECT_EQ(refusal(kName, path), named + ": it is empty; 'openssl rand -hex 32' makes a key");
  EXPECT_EQ(refusal(kName, keyFile(" \n")),
            named + ": it is empty; 'openssl rand -hex 32' makes a key");
  for (mode_t mode : {0644, 0640, 0606}) {
    char octal[8];
    snprintf(octal, sizeof octal, "%03o", mode);
    EXPECT_EQ(refusal(kName, keyFile(key, mode)), named + ": others may use it, its mode is " +
                                                      octal + "; run 'chmod 600 " + path + "'");
  }
  EXPECT_EQ(refusal(kName, keyFile(std::string(4097, 'k'))),
            named + ": it has more than 4096 bytes, the most that a key has");
  EXPECT_EQ(refusal(kName, "/nowhere/at/all"),
            "VERBENA_KEY_FILE=/nowhere/at/all: it cannot be opened: No such file or directory");
  EXPECT_EQ(refusal(kName, "/"), "VERBENA_KEY_FILE=/: it is no file");
}

TEST(Hub, DeviceOnlyIsZeroOrOne) {
  for (const char* value : {"yes", "true", "2", "01", " 1", "-1"}) {
    EXPECT_EQ(refusal("VERBENA_DEVICE_ONLY", value),
              std::string("VERBENA_DEVICE_ONLY=") + value + ": it is to be 0 or 1; unset: 0");
  }
  for (const char* value : {"", "0", "1"}) {
    Setting good("VERBENA_DEVICE_ONLY", value);
    Hub hub;
    listenSomewhere(hub);
  }
}

TEST(Hub, ALingerThatIsNoNumberIsRefused) {
  for (const char* value : {"abc", "-1", "5s", "+5", " 5", "5 ", "0x10", "1.5"}) {
    EXPECT_EQ(refusal("VERBENA_LINGER_MS", value),
              std::string("VERBENA_LINGER_MS=") + value +
                  ": it is to be a number of milliseconds, digits alone; unset: without end");
  }
}

/// It was a time in the past, so that nothing waited and what was sent was lost.
TEST(Hub, ALingerBeyondTheClockIsWithoutEnd) {
  for (const char* value : {"18446744073709", "9223372036855", "99999999999999999999999"}) {
    Hub server;
    Hub client;
    std::string address = listenSomewhere(server);
    std::unique_ptr<Dialogue> here;
    {
      Setting linger("VERBENA_LINGER_MS", value);
      here = client.connect(address);
    }
    ASSERT_NE(here, nullptr) << Hub::error();
    auto there = awaitAccept(server);
    ASSERT_NE(there, nullptr);
    std::vector<char> much(4 * kRing);
    auto sent = here->sendLater(much.data(), much.size());
    auto ended = std::async(std::launch::async, [&] { return here->endSending(); });
    EXPECT_EQ(ended.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout) << value;
    std::vector<char> into(much.size());
    EXPECT_EQ(there->receive(into.data(), into.size()), static_cast<ssize_t>(into.size()));
    EXPECT_EQ(there->receive(into.data(), into.size()), 0);
    EXPECT_EQ(ended.get(), 0) << value;
    EXPECT_EQ(sent->result(), 0) << value;
  }
}

TEST(Hub, ARingThatCannotBeIsRefused) {
  std::vector<std::string> values{"abc",  "-4096", "4096k",      "0",
                                  "2048", "5000",  "4294967296", "99999999999999999999999"};
  for (const std::string& value : values) {
    EXPECT_EQ(
        refusal("VERBENA_RING_BYTES", value),
        "VERBENA_RING_BYTES=" + value + ": it is to be a power of two from 4096 to 2147483648");
  }
}

}  // namespace
}  // namespace verbena::mtcl::testing
