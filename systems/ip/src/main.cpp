// SPDX-License-Identifier: Apache-2.0
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "failure.h"
#include "network.h"
#include "options.h"
#include "status.h"

namespace verbena::ip {
namespace {

constexpr int kWrongUsage = 2;

/// By a descriptor: threads that are made later do not take them.
base::FileDescriptor signalsThatEnd() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int each : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, each);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  base::FileDescriptor descriptor(signalfd(-1, &signals, SFD_CLOEXEC));
  if (!descriptor) fail("wait for signals", "", errno);
  return descriptor;
}

/// Each channel takes some, and there may be thousands.
void takeAllDescriptors() {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

void up(const NetworkOptions& options) {
  takeAllDescriptors();
  base::FileDescriptor ends = signalsThatEnd();
  StatusServer status(socketPath(options.tap.name, options.tap.netns));
  Network network(options);
  network.start();
  std::printf("%s is up: node %u, %s, %u queues, MTU %u, reached at %s\n", options.tap.name.c_str(),
              options.node, nameOf(network.mac()).c_str(), options.tap.queues, options.tap.mtu,
              network.fabric().address().c_str());
  std::fflush(stdout);
  std::array<pollfd, 3> waits{{{ends.get(), POLLIN, 0},
                               {network.stopDescriptor(), POLLIN, 0},
                               {status.descriptor(), POLLIN, 0}}};
  while (waits[0].revents == 0 && waits[1].revents == 0) {
    if (poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) fail("wait", "", errno);
    if (waits[2].revents != 0) status.answer(network);
  }
  network.stop();
  if (std::string failure = network.failure(); !failure.empty()) throw Error(failure);
}

int run(const std::vector<std::string>& words) {
  Options options;
  try {
    options = parseOptions(words);
  } catch (const Error& failure) {
    std::fprintf(stderr, "vbn-ip: %s\n", failure.what());
    return kWrongUsage;
  }
  const TapOptions& tap = options.network.tap;
  switch (options.command) {
    case Command::help: std::fputs(helpText().c_str(), stdout); break;
    case Command::up: up(options.network); break;
    case Command::down: Tap::remove(tap.name, tap.netns); break;
    case Command::status:
      std::fputs(askForStatus(socketPath(tap.name, tap.netns), options.json).c_str(), stdout);
      break;
  }
  return 0;
}

}  // namespace
}  // namespace verbena::ip

int main(int count, char** words) {
  try {
    return verbena::ip::run({words + 1, words + count});
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "vbn-ip: %s\n", failure.what());
    return 1;
  }
}
