// SPDX-License-Identifier: Apache-2.0
#include "agent_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "hosts.h"
#include "job/table.h"

namespace verbena::launch {
namespace {

/// For a POSIX shell.
std::string quoted(const std::string& text) {
  std::string all = "'";
  for (char c : text) all += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return all + "'";
}

std::string ownPath() {
  std::error_code failure;
  return std::filesystem::read_symlink("/proc/self/exe", failure).string();
}

/// In the new process.
[[noreturn]] void run(const std::vector<std::string>& command, int stream, bool isShell,
                      const Signals& signals, const OpenFiles& files, pid_t launcher) {
  setsid();  // the terminal's signals are the launcher's to pass on
  // An agent of this host sees the end of its stream. What goes to another host might wait for it.
  if (isShell) prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != launcher) _exit(1);
  dup2(stream, STDIN_FILENO);
  dup2(stream, STDOUT_FILENO);
  files.restore();
  sigprocmask(SIG_SETMASK, &signals.before(), nullptr);
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execvp(words[0], words.data());
  std::fprintf(stderr, "verbena-run: cannot run '%s': %s\n", words[0], strerrorname_np(errno));
  _exit(127);
}

}  // namespace

std::vector<std::string> agentCommand(const Options& options, const std::string& host) {
  if (isThisHost(host)) return {ownPath(), "--agent"};
  std::vector<std::string> command = options.remoteShell;
  if (command.empty()) {
    command = {"ssh",
               "-o",
               "BatchMode=yes",
               "-o",
               "ConnectTimeout=" + std::to_string(options.startTimeoutSeconds),
               "-o",
               "ServerAliveInterval=5",
               "-o",
               "ServerAliveCountMax=3"};
  }
  command.push_back(host);
  command.push_back(quoted(options.remoteProgram.empty() ? ownPath() : options.remoteProgram) +
                    " --agent");
  return command;
}

AgentProcess::AgentProcess(Placed placed)
    : placed_(std::move(placed)), isElsewhere_(!isThisHost(placed_.host.name)) {}

base::Result<void> AgentProcess::start(const Options& options, const Signals& signals,
                                       const OpenFiles& files) {
  std::vector<std::string> command = agentCommand(options, host());
  program_ = std::filesystem::path(command[0]).filename();
  far_ = options.remoteProgram.empty() ? ownPath() : options.remoteProgram;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return base::Error{"open a stream", host(), errno, "raise the limit with 'ulimit -n'"};
  }
  base::FileDescriptor theirs(ends[1]);
  base::FileDescriptor ours(ends[0]);
  base::FileDescriptor copy(fcntl(ours.get(), F_DUPFD_CLOEXEC, 0));
  if (!copy) return base::Error{"open a stream", host(), errno, ""};
  pid_t launcher = getpid();
  pid_ = fork();
  if (pid_ == 0) run(command, theirs.get(), isElsewhere_, signals, files, launcher);
  if (pid_ < 0) return base::Error{"start a process", host(), errno, ""};
  stream_ = job::Stream(std::move(ours), std::move(copy));
  return {};
}

void AgentProcess::signal(int number) const {
  kill(-pid_, number);  // its session is its own, once it has begun
  kill(pid_, number);
}

std::string AgentProcess::endText() const {
  if (!status_) return "";
  std::string text = "'" + program_ + "' " + job::End{0, *status_}.text();
  if (!isElsewhere_ || greeted) return text;
  int status = WIFEXITED(*status_) ? WEXITSTATUS(*status_) : 0;
  if (status == 127 || status == 126) {
    text += "; " + far_ + " has to be there, or another one that --remote-program names";
  } else if (status == 255) {
    text += "; it has to log in without a question: try 'ssh -o BatchMode=yes " + host() +
            " true', or name another command by --rsh";
  }
  return text;
}

}  // namespace verbena::launch
