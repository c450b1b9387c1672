// SPDX-License-Identifier: Apache-2.0
#include "guard.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "descendants.h"
#include "job_folder.h"
#include "signals.h"

namespace verbena::launch {
namespace {

int waitFor(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/// The stream is the agent's alone, so that it ends with the agent.
void leaveTheStream() {
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere < 0) return;
  dup2(nowhere, STDIN_FILENO);
  dup2(nowhere, STDOUT_FILENO);
  close(nowhere);
}

int fail(const char* what) {
  std::fprintf(stderr, "verbena-run: cannot %s: %s\n", what, strerrorname_np(errno));
  return 1;
}

}  // namespace

int guarded(const std::function<int(Guarded)>& agent) {
  Descendants ours;
  // It ends when its agent does; who ends all processes of the job leaves the ranks their time. Nor
  // does it end with a folder in its hands, which all others have let pass.
  Signals none({SIGINT, SIGTERM, SIGHUP, SIGQUIT});
  removeUnusedFolders();
  auto folder = newFolderName();
  if (!folder) return fail("name the job's folder");
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return fail("open a pipe");
  base::FileDescriptor agents(ends[0]);
  base::FileDescriptor guards(ends[1]);
  pid_t pid = fork();
  if (pid < 0) return fail("start a process");
  if (pid == 0) {
    sigprocmask(SIG_SETMASK, &none.before(), nullptr);
    guards = {};
    setsid();  // so that no signal to a group or a session is for both
    _exit(agent({std::move(agents), *folder}));
  }
  agents = {};
  prctl(PR_SET_NAME, "verbena-guard");  // nor one to all of a name
  leaveTheStream();
  int status = waitFor(pid);
  ours.killAll();
  removeIfUnused(*folder);  // unless its agent has
  return status;
}

}  // namespace verbena::launch
