// SPDX-License-Identifier: Apache-2.0
//
// verbena-run, started by a test.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace verbena::launch {

/// A bound against hanging, never a measure.
inline constexpr std::chrono::seconds kPatience{120};

/// A rank that does what its words say.
inline const std::string kRank = VERBENA_JOB_RANK_PROGRAM;

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Looks again and again; false if it never holds.
bool eventually(const std::function<bool()>& holds);

/// A folder that goes with its owner.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

std::string contentOf(const std::string& file);
void writeTo(const std::string& file, const std::string& text);

/// How a program is started.
struct Launch {
  std::string input;             ///< what it reads; unless `inputFrom` is set
  int inputFrom = -1;            ///< a descriptor
  int outputTo = -1;             ///< likewise; -1: a file that out() reads
  std::function<void()> before;  ///< in the new process
  std::string program = VERBENA_RUN;
};

class Launched {
 public:
  explicit Launched(std::vector<std::string> words, Launch how = {});
  /// Kills it, should it live.
  ~Launched();
  Launched(const Launched&) = delete;
  Launched& operator=(const Launched&) = delete;

  /// Waits for its end. As shells have it: 128 and the signal's number.
  int wait();
  std::string out() const { return contentOf(folder_ / "out"); }
  std::string err() const { return contentOf(folder_ / "err"); }
  bool says(const std::string& text) const { return out().find(text) != std::string::npos; }
  pid_t pid() const { return pid_; }
  /// Whether it has left no folder of its job.
  bool leftNoFolder() const;
  /// Those that are there.
  std::string folders() const;

 private:
  [[noreturn]] void run(std::vector<std::string> words, const Launch& how) const;

  Folder folder_;
  pid_t pid_ = -1;
  int status_ = -1;
};

/// The children of a process.
std::vector<pid_t> childrenOf(pid_t parent);

/// This process is the heir of all that its children leave behind. Whether nothing is left at last;
/// what never goes is killed.
bool nothingIsLeft();

/// A --rsh that runs a command on this host, whatever the name.
std::string localShell(const Folder& folder);

}  // namespace verbena::launch
