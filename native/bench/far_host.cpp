// SPDX-License-Identifier: Apache-2.0
#include "far_host.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "device_options.h"

namespace verbena::bench {
namespace {

/// A network with nothing in it but a loopback device that is down.
void leaveNetwork(const char* tool) {
  if (unshare(CLONE_NEWNET) == 0) return;
  die(tool,
      std::string("cannot make a network of its own, which takes root: ") + std::strerror(errno));
}

void run(const char* tool, const std::string& command) {
  if (std::system(command.c_str()) != 0) die(tool, "failed (is iproute2 there?): " + command);
}

std::string bring(const std::string& device, const std::string& address) {
  return "ip addr add " + address + "/24 dev " + device + " && ip link set " + device +
         " up && ip link set lo up";
}

}  // namespace

FarHost::FarHost(const char* tool) : tool_(tool) {
  leaveNetwork(tool);
  int ready[2];
  if (pipe2(ready, O_CLOEXEC) != 0) die(tool, std::string("no pipe: ") + std::strerror(errno));
  pid_t process = 0;
  there_.emplace(tool, [&] {
    leaveNetwork(tool);
    pid_t self = getpid();
    if (write(ready[1], &self, sizeof self) == sizeof self) pause();
  });
  close(ready[1]);
  bool isThere = read(ready[0], &process, sizeof process) == sizeof process;
  close(ready[0]);
  std::string number = std::to_string(process);
  network_ = isThere ? open(("/proc/" + number + "/ns/net").c_str(), O_RDONLY | O_CLOEXEC) : -1;
  if (network_ < 0) die(tool, "the far host's process has ended");
  run(tool, "ip link add near type veth peer name far netns " + number);
  run(tool, bring("near", kNear));
  run(tool, "nsenter --net=/proc/" + number + "/ns/net sh -c '" + bring("far", kFar) + "'");
}

void FarHost::enter() const {
  if (setns(network_, CLONE_NEWNET) == 0) return;
  die(tool_, std::string("cannot enter the far host's network: ") + std::strerror(errno));
}

}  // namespace verbena::bench
