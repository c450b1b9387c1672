// SPDX-License-Identifier: Apache-2.0
#include "pump.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "failure.h"

namespace verbena::ip {
namespace {

void pump(int from, int to) {
  std::vector<std::byte> frame(kHeaderBytes + kMostFrame);
  for (;;) {
    ssize_t got = read(from, frame.data(), frame.size());
    if (got > 0) {
      [[maybe_unused]] ssize_t put = write(to, frame.data(), static_cast<size_t>(got));
      continue;
    }
    pollfd waits{from, POLLIN, 0};
    poll(&waits, 1, -1);
  }
}

}  // namespace

int startPump(const TapOptions& one, const TapOptions& two) {
  std::array<int, 2> line;
  if (pipe(line.data()) != 0) fail("make a pipe", "", errno);
  int child = fork();
  if (child < 0) fail("start a process", "", errno);
  if (child > 0) {
    close(line[1]);
    char ready = 0;
    bool isUp = read(line[0], &ready, 1) == 1;
    close(line[0]);
    if (!isUp) fail("start the pump", "", 0, "it says why above");
    return child;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  try {
    Tap left(one);
    Tap right(two);
    [[maybe_unused]] ssize_t told = write(line[1], "r", 1);
    std::jthread back([&] { pump(right.queue(0), left.queue(0)); });
    pump(left.queue(0), right.queue(0));
  } catch (const Error& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
  }
  _exit(1);
}

}  // namespace verbena::ip
