// SPDX-License-Identifier: Apache-2.0
#include "flows.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <exception>
#include <fstream>
#include <future>
#include <thread>
#include <vector>

#include "base/descriptor.h"
#include "failure.h"

namespace verbena::ip {
namespace {

using base::FileDescriptor;
using Clock = std::chrono::steady_clock;

constexpr uint16_t kPort = 5201;
constexpr size_t kBuffer = 256 << 10;
constexpr timeval kPatience{.tv_sec = 20, .tv_usec = 0};

void enter(const std::string& netns) {
  FileDescriptor there(open(("/run/netns/" + netns).c_str(), O_RDONLY | O_CLOEXEC));
  if (!there || setns(there.get(), CLONE_NEWNET) != 0) {
    fail("enter the network namespace", netns, errno);
  }
}

FileDescriptor newSocket() {
  FileDescriptor made(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  int on = 1;
  setsockopt(made.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  setsockopt(made.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(made.get(), IPPROTO_TCP, TCP_CONGESTION, "cubic", 5);
  setsockopt(made.get(), SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  setsockopt(made.get(), SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
  return made;
}

sockaddr_in addressOf(const Place& place) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(kPort);
  inet_pton(AF_INET, place.address.c_str(), &address.sin_addr);
  return address;
}

FileDescriptor listenAt(const Place& place) {
  enter(place.netns);
  FileDescriptor listening = newSocket();
  sockaddr_in address = addressOf(place);
  if (bind(listening.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      listen(listening.get(), 64) != 0) {
    fail("listen at", place.address, errno);
  }
  return listening;
}

FileDescriptor acceptOne(const FileDescriptor& listening) {
  FileDescriptor accepted(accept4(listening.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!accepted) fail("accept a connection", "", errno);
  int on = 1;
  setsockopt(accepted.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return accepted;
}

FileDescriptor connectTo(const Place& place) {
  FileDescriptor made = newSocket();
  sockaddr_in address = addressOf(place);
  if (connect(made.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    fail("connect to", place.address, errno);
  }
  return made;
}

/// In a thread, which may enter a namespace.
template <typename Work>
auto inThread(Work work) {
  return std::async(std::launch::async, std::move(work));
}

/// All processors together, since the machine was started.
double processorSeconds() {
  std::ifstream file("/proc/stat");
  std::string name;
  std::array<double, 8> times{};
  file >> name;
  for (double& each : times) file >> each;
  constexpr size_t kIdle = 3;
  constexpr size_t kWaiting = 4;
  constexpr size_t kSteal = 7;
  double busy = 0;
  for (size_t i = 0; i < times.size(); i++) {
    if (i != kIdle && i != kWaiting && i != kSteal) busy += times[i];
  }
  return busy / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace

Streamed stream(const Place& from, const Place& to, uint32_t streams, double seconds) {
  FileDescriptor listening = inThread([&] { return listenAt(to); }).get();
  std::atomic<uint64_t> received{0};
  auto serving = inThread([&] {
    std::vector<std::future<void>> all;
    for (uint32_t i = 0; i < streams; i++) {
      all.push_back(inThread([&, one = acceptOne(listening)] {
        std::vector<char> buffer(kBuffer);
        ssize_t got = 0;
        while ((got = read(one.get(), buffer.data(), buffer.size())) > 0) {
          received.fetch_add(static_cast<uint64_t>(got), std::memory_order_relaxed);
        }
      }));
    }
    for (auto& each : all) each.get();
  });
  std::atomic<bool> over{false};
  std::atomic<uint64_t> retransmissions{0};
  std::vector<std::future<void>> sending;
  for (uint32_t i = 0; i < streams; i++) {
    sending.push_back(inThread([&] {
      enter(from.netns);
      FileDescriptor one = connectTo(to);
      std::vector<char> buffer(kBuffer);
      while (!over.load(std::memory_order_relaxed)) {
        if (write(one.get(), buffer.data(), buffer.size()) < 0) fail("write", "", errno);
      }
      tcp_info about{};
      socklen_t length = sizeof about;
      getsockopt(one.get(), IPPROTO_TCP, TCP_INFO, &about, &length);
      retransmissions.fetch_add(about.tcpi_total_retrans);
    }));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // slow start is over
  auto begin = Clock::now();
  uint64_t before = received.load();
  double busy = processorSeconds();
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  Streamed result;
  result.gigabytes = static_cast<double>(received.load() - before) / 1e9;
  result.processorSeconds = processorSeconds() - busy;
  result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  over.store(true);
  for (auto& each : sending) each.get();
  serving.get();
  result.retransmissions = retransmissions.load();
  return result;
}

double roundTrip(const Place& from, const Place& to, uint32_t rounds) {
  FileDescriptor listening = inThread([&] { return listenAt(to); }).get();
  auto serving = inThread([&] {
    FileDescriptor one = acceptOne(listening);
    char byte = 0;
    while (read(one.get(), &byte, 1) == 1 && write(one.get(), &byte, 1) == 1) {
    }
  });
  auto asking = inThread([&] {
    enter(from.netns);
    FileDescriptor one = connectTo(to);
    std::vector<double> times;
    for (uint32_t i = 0; i < rounds + rounds / 10; i++) {
      auto begin = Clock::now();
      char byte = 'x';
      if (write(one.get(), &byte, 1) != 1 || read(one.get(), &byte, 1) != 1) {
        fail("send a byte and get it back", "", errno);
      }
      auto took = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
      if (i >= rounds / 10) times.push_back(took);
    }
    std::ranges::nth_element(times, times.begin() + static_cast<ptrdiff_t>(times.size() / 2));
    return times[times.size() / 2];
  });
  double median = asking.get();
  serving.get();
  return median;
}

}  // namespace verbena::ip
