// SPDX-License-Identifier: Apache-2.0
#include "descendants.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <string>

#include "base/clock.h"
#include "base/descriptor.h"
#include "host/private_folder.h"

namespace verbena::launch {
namespace {

constexpr useconds_t kGlanceUs = 1000;
/// One that the kernel does not let go of is not waited for longer than some seconds.
constexpr uint64_t kPatienceNs = 3'000'000'000;

/// What /proc/PID/stat says behind a name in brackets, which may hold anything.
struct Stat {
  std::string name;
  char state = '?';
  pid_t parent = 0;  ///< 0 if the process is gone
};

Stat statOf(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/stat");
  std::string line;
  std::getline(file, line);
  size_t begin = line.find('(');
  size_t end = line.rfind(')');
  if (begin == std::string::npos || end == std::string::npos || line.size() < end + 4) return {};
  return {line.substr(begin + 1, end - begin - 1), line[end + 2],
          static_cast<pid_t>(std::strtol(line.c_str() + end + 4, nullptr, 10))};
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

Descendants::Descendants() {
  notOurs_ = children();
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

std::set<pid_t> Descendants::children() const {
  std::set<pid_t> found;
  if (hasNoChild()) return found;
  for (const std::string& name : host::namesIn("/proc")) {
    if (!isNumber(name) || statOf(name).parent != getpid()) continue;
    pid_t pid = numberOf(name);
    if (!notOurs_.contains(pid)) found.insert(pid);
  }
  return found;
}

std::set<pid_t> Descendants::killAll(const std::function<void(pid_t, int)>& ended) {
  // Who is killed here leaves its children to us: the next look finds them.
  uint64_t deadlineNs = base::monotonicNs() + kPatienceNs;
  for (std::set<pid_t> left = children(); !left.empty(); left = children()) {
    if (base::monotonicNs() >= deadlineNs) {
      notOurs_.insert(left.begin(), left.end());
      return left;
    }
    for (pid_t pid : left) kill(pid, SIGKILL);
    bool anyEnded = false;
    for (pid_t pid : left) {
      int status = 0;
      if (waitpid(pid, &status, WNOHANG) != pid) continue;
      anyEnded = true;
      ended(pid, status);
    }
    if (anyEnded) deadlineNs = base::monotonicNs() + kPatienceNs;
    if (!anyEnded) usleep(kGlanceUs);
  }
  return {};
}

std::string describe(pid_t pid) {
  Stat stat = statOf(std::to_string(pid));
  return "process " + std::to_string(pid) + " ('" + stat.name + "', state " + stat.state + ")";
}

void killMarked(const std::string& variable) {
  uint64_t deadlineNs = base::monotonicNs() + kPatienceNs;
  for (bool found = true; found && base::monotonicNs() < deadlineNs;) {
    found = false;
    for (const std::string& name : host::namesIn("/proc")) {
      if (!isNumber(name) || numberOf(name) == getpid()) continue;
      // Before the look: what is killed is what was looked at, though its number become another's.
      base::FileDescriptor process(static_cast<int>(syscall(SYS_pidfd_open, numberOf(name), 0)));
      if (!hasVariable(name, variable)) continue;
      long failed = process ? syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0)
                            : kill(numberOf(name), SIGKILL);  // a kernel before 5.3
      found = failed == 0 || found;
    }
    if (found) usleep(kGlanceUs);  // who was killed is there for a moment yet
  }
}

}  // namespace verbena::launch
