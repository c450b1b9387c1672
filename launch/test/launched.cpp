// SPDX-License-Identifier: Apache-2.0
#include "launched.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

namespace verbena::launch {
namespace {

using Clock = std::chrono::steady_clock;

int exitStatus(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void replace(int fd, int by) {
  if (by < 0 || dup2(by, fd) < 0) _exit(126);
}

}  // namespace

bool eventually(const std::function<bool()>& holds) {
  for (Clock::time_point until = Clock::now() + kPatience; Clock::now() < until;) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return holds();
}

Folder::Folder() {
  std::string pattern = std::filesystem::temp_directory_path() / "vbn-launch-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no folder");
  path_ = pattern;
}

Folder::~Folder() {
  std::filesystem::remove_all(path_);
}

std::string contentOf(const std::string& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void writeTo(const std::string& file, const std::string& text) {
  std::ofstream(file) << text;
}

Launched::Launched(std::vector<std::string> words, Launch how) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  writeTo(folder_ / "in", how.input);
  std::filesystem::create_directory(folder_ / "jobs");
  pid_ = fork();
  if (pid_ == 0) run(std::move(words), how);
}

void Launched::run(std::vector<std::string> words, const Launch& how) const {
  int created = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
  replace(0, how.inputFrom >= 0 ? how.inputFrom : open((folder_ / "in").c_str(), O_RDONLY));
  replace(1, how.outputTo >= 0 ? how.outputTo : open((folder_ / "out").c_str(), created, 0600));
  replace(2, open((folder_ / "err").c_str(), created, 0600));
  words.insert(words.begin(), how.program);
  std::vector<char*> all;
  for (std::string& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  setenv("VERBENA_RUN_FOLDER", (folder_ / "jobs").c_str(), 1);
  if (how.before) how.before();
  execv(all[0], all.data());
  _exit(126);
}

Launched::~Launched() {
  if (status_ >= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

int Launched::wait() {
  if (status_ >= 0) return status_;
  int status = 0;
  if (!eventually([&] { return waitpid(pid_, &status, WNOHANG) == pid_; })) return -1;
  status_ = exitStatus(status);
  return status_;
}

std::string Launched::folders() const {
  std::string names;
  for (const auto& each : std::filesystem::recursive_directory_iterator(folder_ / "jobs")) {
    names += each.path().string() + " ";
  }
  return names;
}

bool Launched::leftNoFolder() const {
  return std::filesystem::is_empty(folder_ / "jobs");
}

std::vector<pid_t> childrenOf(pid_t parent) {
  std::string id = std::to_string(parent);
  std::ifstream file("/proc/" + id + "/task/" + id + "/children");
  return {std::istream_iterator<pid_t>(file), {}};
}

bool nothingIsLeft() {
  bool gone = eventually([] { return waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD; });
  for (pid_t child : childrenOf(getpid())) kill(child, SIGKILL);
  return gone;
}

std::string localShell(const Folder& folder) {
  std::string script = folder / "shell";
  writeTo(script, "#!/bin/sh\neval \"exec $2\"\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  return script;
}

}  // namespace verbena::launch
