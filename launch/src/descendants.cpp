// SPDX-License-Identifier: Apache-2.0
#include "descendants.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <string>

#include "host/private_folder.h"

namespace verbena::launch {
namespace {

constexpr useconds_t kGlanceUs = 1000;
/// One that the kernel does not let go of is not waited for longer than some seconds.
constexpr int kMostLooks = 5000;

/// The fourth field of /proc/PID/stat; the second is a name in brackets, which may hold anything.
/// 0 if the process is gone.
pid_t parentOf(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/stat");
  std::string line;
  std::getline(file, line);
  size_t name = line.rfind(')');
  if (name == std::string::npos || line.size() < name + 4) return 0;
  return static_cast<pid_t>(std::strtol(line.c_str() + name + 4, nullptr, 10));
}

/// What the kernel knows without a look at every process of the system.
bool hasNoChild() {
  siginfo_t any;
  return waitid(P_ALL, 0, &any, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD;
}

/// Whether a process was started with a variable. Not of one that has ended, or is another user's.
bool hasVariable(const std::string& pid, const std::string& variable) {
  std::ifstream file("/proc/" + pid + "/environ");
  for (std::string each; std::getline(file, each, '\0');) {
    if (each == variable) return true;
  }
  return false;
}

bool isNumber(const std::string& name) {
  return name[0] >= '1' && name[0] <= '9';
}

pid_t numberOf(const std::string& name) {
  return static_cast<pid_t>(std::strtol(name.c_str(), nullptr, 10));
}

}  // namespace

Descendants::Descendants() : before_(children()) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

std::set<pid_t> Descendants::children() const {
  std::set<pid_t> found;
  if (hasNoChild()) return found;
  for (const std::string& name : host::namesIn("/proc")) {
    if (!isNumber(name) || parentOf(name) != getpid()) continue;
    pid_t pid = numberOf(name);
    if (!before_.contains(pid)) found.insert(pid);
  }
  return found;
}

void Descendants::killAll(const std::function<void(pid_t, int)>& ended) {
  // Who is killed here leaves its children to us: the next look finds them.
  for (std::set<pid_t> left = children(); !left.empty(); left = children()) {
    for (pid_t pid : left) kill(pid, SIGKILL);
    for (pid_t pid : left) {
      int status = 0;
      pid_t got = -1;
      do {
        got = waitpid(pid, &status, 0);
      } while (got < 0 && errno == EINTR);
      if (got == pid) ended(pid, status);
    }
  }
}

void killMarked(const std::string& variable) {
  bool found = true;
  for (int looks = 0; found && looks < kMostLooks; looks++) {
    found = false;
    for (const std::string& name : host::namesIn("/proc")) {
      if (!isNumber(name) || numberOf(name) == getpid() || !hasVariable(name, variable)) continue;
      found = kill(numberOf(name), SIGKILL) == 0 || found;
    }
    if (found) usleep(kGlanceUs);  // who was killed is there for a moment yet
  }
}

}  // namespace verbena::launch
