// SPDX-License-Identifier: Apache-2.0
#include "rank_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace verbena::launch {
namespace {

/// What a new process tells of its failure before it runs the command.
struct Failure {
  enum Step : int { folder, command };
  Step step;
  int code;
};

struct Pipe {
  base::FileDescriptor reads;
  base::FileDescriptor writes;

  bool open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    reads = base::FileDescriptor(ends[0]);
    writes = base::FileDescriptor(ends[1]);
    return true;
  }
};

struct Pipes {
  Pipe input;
  Pipe output;
  Pipe error;
  Pipe failure;

  bool open(bool hasInput) {
    return (!hasInput || input.open()) && output.open() && error.open() && failure.open();
  }
};

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (const std::string& text : texts) all.push_back(const_cast<char*>(text.c_str()));
  all.push_back(nullptr);
  return all;
}

[[noreturn]] void giveUp(const Pipes& pipes, Failure::Step step) {
  Failure failure{step, errno};
  [[maybe_unused]] ssize_t written = write(pipes.failure.writes.get(), &failure, sizeof failure);
  _exit(127);
}

/// In the new process.
[[noreturn]] void run(const RankStart& start, const Pipes& pipes, pid_t agent) {
  setpgid(0, 0);
  // If agent and guard are killed at one blow, at least this process ends.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != agent) _exit(127);
  int input = start.hasInput ? pipes.input.reads.get() : open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(input, STDIN_FILENO);
  dup2(pipes.output.writes.get(), STDOUT_FILENO);
  dup2(pipes.error.writes.get(), STDERR_FILENO);
  if (start.processors) sched_setaffinity(0, sizeof(cpu_set_t), &*start.processors);
  if (chdir(start.folder.c_str()) != 0) giveUp(pipes, Failure::folder);
  // Of whoever has started the launcher; beside ours they tell of a job within this rank, or of
  // another key.
  for (const char* outer : {"PMIX_RANK", "PMIX_NAMESPACE", "SLURM_STEP_ID", "SLURM_PROCID",
                            "JOB_COMPLETION_INDEX", "VERBENA_CLUSTER_KEY"}) {
    unsetenv(outer);
  }
  for (const std::string& variable : start.variables) putenv(const_cast<char*>(variable.c_str()));
  start.files.restore();
  signal(SIGPIPE, SIG_DFL);
  signal(SIGXFSZ, SIG_DFL);
  sigprocmask(SIG_SETMASK, &start.signals, nullptr);
  execvp(start.words[0].c_str(), pointers(start.words).data());
  giveUp(pipes, Failure::command);
}

NotStarted explain(const std::string& command, const std::string& folder, const Failure& failure) {
  std::string reason = std::string(": ") + strerrorname_np(failure.code);
  if (failure.step == Failure::folder) {
    return {126, "cannot change to the folder '" + folder + "'" + reason};
  }
  bool isMissing = failure.code == ENOENT;
  std::string advice = isMissing                ? "; there is no such command"
                       : failure.code == EACCES ? "; it is a folder, or no program: chmod +x"
                                                : "";
  return {isMissing ? 127 : 126, "cannot run '" + command + "'" + reason + advice};
}

}  // namespace

std::optional<NotStarted> RankProcess::start(const RankStart& start, RankProcess& started) {
  Pipes pipes;
  pid_t agent = getpid();
  if (!pipes.open(start.hasInput)) {
    return NotStarted{126, std::string("cannot open a pipe: ") + strerrorname_np(errno) +
                               "; raise the limit of open files with 'ulimit -n'"};
  }
  pid_t pid = fork();
  if (pid < 0) {
    return NotStarted{126, std::string("cannot start a process: ") + strerrorname_np(errno) +
                               "; raise the limit of processes with 'ulimit -u'"};
  }
  if (pid == 0) run(start, pipes, agent);
  setpgid(pid, pid);  // whoever of the two is first
  started.rank = start.rank;
  started.pid = pid;
  started.input = std::move(pipes.input.writes);
  started.outputs[0].from = std::move(pipes.output.reads);
  started.outputs[1].from = std::move(pipes.error.reads);
  for (auto& output : started.outputs) base::makeNonBlocking(output.from.get());
  if (started.input) base::makeNonBlocking(started.input.get());
  started.beginning = std::move(pipes.failure.reads);
  base::makeNonBlocking(started.beginning.get());
  return std::nullopt;
}

std::optional<NotStarted> RankProcess::begun(const std::string& command,
                                             const std::string& folder) {
  Failure failure{};
  ssize_t told = read(beginning.get(), &failure, sizeof failure);
  if (told < 0 && (errno == EAGAIN || errno == EINTR)) return std::nullopt;
  beginning = {};
  if (told != sizeof failure) return std::nullopt;  // the command's start has closed it
  lives = hasGroup = false;
  input = {};
  return explain(command, folder, failure);
}

void RankProcess::signal(int number) const {
  if (hasGroup) kill(-pid, number);
}

/// As long as a group has processes, its number is nobody else's.
void RankProcess::lookAtGroup() {
  hasGroup = lives || (hasGroup && (kill(-pid, 0) == 0 || errno == EPERM));
}

}  // namespace verbena::launch
