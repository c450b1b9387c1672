// SPDX-License-Identifier: Apache-2.0
//
// vbn-perf when one of its two processes dies, at once or in the middle of a run: the other ends,
// too.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kPatience = 120s;
constexpr int kStillThere = -1;

/// A folder that goes with its owner.
class Folder {
 public:
  Folder() {
    std::string pattern = std::filesystem::temp_directory_path() / "vbn-perf-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no folder");
    path_ = pattern;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The wait status of a child of ours, or kStillThere when it does not end.
int awaitEnd(pid_t pid) {
  int status = 0;
  for (Clock::time_point until = Clock::now() + kPatience; Clock::now() < until;) {
    if (waitpid(pid, &status, WNOHANG) == pid) return status;
    std::this_thread::sleep_for(2ms);
  }
  return kStillThere;
}

/// A run that would last for minutes.
class Measurement {
 public:
  explicit Measurement(const std::string& words) {
    // What it leaves behind becomes our child, to be waited for.
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    measuring = fork();
    if (measuring == 0) exec(words);
    serving = awaitServer();
  }
  ~Measurement() {
    for (pid_t pid : {measuring, serving}) {
      if (pid > 0 && ::kill(pid, 0) == 0) ::kill(pid, SIGKILL);
      if (pid > 0) waitpid(pid, nullptr, 0);
    }
  }
  Measurement(const Measurement&) = delete;
  Measurement& operator=(const Measurement&) = delete;

  std::string said() const {
    std::ifstream file(folder_.path() / "said");
    return {std::istreambuf_iterator<char>(file), {}};
  }

  pid_t measuring = -1;
  pid_t serving = -1;

 private:
  [[noreturn]] void exec(const std::string& words) {
    std::vector<std::string> arguments = {VERBENA_PERF, "--seconds", "300"};
    std::istringstream stream(words);
    std::string operation;
    stream >> operation;
    arguments.insert(arguments.begin() + 1, operation);
    for (std::string word; stream >> word;) arguments.push_back(word);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    setenv("VERBENA_SOFTNIC_DIR", folder_.path().c_str(), 1);
    if (freopen((folder_.path() / "said").c_str(), "w", stderr) != nullptr) {
      execv(VERBENA_PERF, argv.data());
    }
    _exit(127);
  }

  /// -1 if the measuring process has ended without one, or before we looked.
  pid_t awaitServer() const {
    std::string id = std::to_string(measuring);
    std::string children = "/proc/" + id + "/task/" + id + "/children";
    for (Clock::time_point until = Clock::now() + kPatience; Clock::now() < until && !hasEnded();) {
      pid_t found = -1;
      if (std::ifstream(children) >> found) return found;
    }
    return -1;
  }

  bool hasEnded() const {
    siginfo_t ended{};
    waitid(P_PID, static_cast<id_t>(measuring), &ended, WEXITED | WNOHANG | WNOWAIT);
    return ended.si_pid == measuring;
  }

  Folder folder_;
};

struct Case {
  const char* name;
  const char* words;
};

void PrintTo(const Case& shown, std::ostream* out) {
  *out << shown.words;
}

class PerfAbandoned : public ::testing::TestWithParam<std::tuple<Case, std::chrono::milliseconds>> {
 protected:
  static const char* words() { return std::get<0>(GetParam()).words; }
  static std::chrono::milliseconds age() { return std::get<1>(GetParam()); }
};

TEST_P(PerfAbandoned, MeasuringProcessSaysThatTheOtherWasKilledAndFails) {
  Measurement run(words());
  ASSERT_GT(run.serving, 0);
  std::this_thread::sleep_for(age());
  kill(run.serving, SIGKILL);
  int status = awaitEnd(run.measuring);
  ASSERT_NE(status, kStillThere);
  run.measuring = -1;
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << status;
  EXPECT_NE(run.said().find("the other process was ended by signal 9"), std::string::npos)
      << run.said();
}

TEST_P(PerfAbandoned, OtherProcessEndsWithTheMeasuringOne) {
  Measurement run(words());
  ASSERT_GT(run.serving, 0);
  std::this_thread::sleep_for(age());
  kill(run.measuring, SIGKILL);
  ASSERT_NE(awaitEnd(run.measuring), kStillThere);
  run.measuring = -1;
  ASSERT_NE(awaitEnd(run.serving), kStillThere);
  run.serving = -1;
}

// At once is in the middle of setting up, half a second later is in the middle of measuring.
INSTANTIATE_TEST_SUITE_P(
    All, PerfAbandoned,
    ::testing::Combine(::testing::Values(Case{"send", "send"}, Case{"sendAsleep", "send --events"},
                                         Case{"echo", "send --lat"},
                                         Case{"echoAsleep", "send --lat --events"},
                                         Case{"write", "write --plain"},
                                         Case{"readAsleep", "read --lat --events"},
                                         Case{"atomic", "cas --lat"}),
                       ::testing::Values(0ms, 500ms)),
    [](const auto& made) {
      return std::string(std::get<0>(made.param).name) +
             (std::get<1>(made.param) == 0ms ? "AtOnce" : "Running");
    });

TEST(Perf, MeasuringProcessFailsWithTheOtherThatGaveUp) {
  // Only the other one consumes receives: the fault is its alone.
  setenv("VERBENA_SOFTNIC_FAULTS", "receive:1000=fail(LOC_PROT_ERR)", 1);
  Measurement run("send --post-list 32");
  unsetenv("VERBENA_SOFTNIC_FAULTS");
  int status = awaitEnd(run.measuring);
  ASSERT_NE(status, kStillThere);
  run.measuring = -1;
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << status;
  EXPECT_NE(run.said().find("vbn-perf: a request failed with "), std::string::npos) << run.said();
}

TEST(Perf, DeviceThatIsNotThereFailsAtOnce) {
  Measurement run("send --device no-such-device");
  int status = awaitEnd(run.measuring);
  ASSERT_NE(status, kStillThere);
  run.measuring = -1;
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << status;
  EXPECT_NE(run.said().find("vbn-perf: "), std::string::npos) << run.said();
}

}  // namespace
