// SPDX-License-Identifier: Apache-2.0
//
// How a job has ended, for people and for a shell.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace verbena::launch {

/// The last lines that a rank has written.
class LastLines {
 public:
  void add(std::string_view lines);
  const std::string& text() const { return text_; }

 private:
  static constexpr size_t kMostBytes = 1024;
  std::string text_;
};

/// Why a job ends, if not by itself: the first reason counts.
struct Reason {
  int exitStatus = 0;
  std::string sentence;
  std::optional<uint32_t> rank = {};  ///< whose last lines tell more
  std::optional<size_t> agent = {};   ///< whose process' end tells more
};

/// Whether standard error takes a sentence within the time: its reader may have stopped to read.
bool takesSentences(int timeoutMs);
void say(const std::string& sentence);

/// On standard error.
void report(const Reason& reason, const LastLines* lastLines);

}  // namespace verbena::launch
