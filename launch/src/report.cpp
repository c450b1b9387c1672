// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace verbena::launch {

void LastLines::add(std::string_view lines) {
  text_.append(lines.substr(lines.size() > kMostBytes ? lines.size() - kMostBytes : 0));
  if (text_.size() <= kMostBytes) return;
  text_.erase(0, text_.size() - kMostBytes);
  size_t line = text_.find('\n');
  if (line + 1 < text_.size()) text_.erase(0, line + 1);
}

bool takesSentences(int timeoutMs) {
  pollfd error{STDERR_FILENO, POLLOUT, 0};
  return poll(&error, 1, timeoutMs) > 0;
}

void say(const std::string& sentence) {
  std::fprintf(stderr, "verbena-run: %s\n", sentence.c_str());
}

void report(const Reason& reason, const LastLines* lastLines) {
  bool hasLines = lastLines != nullptr && !lastLines->text().empty();
  say(reason.sentence + (hasLines ? "; its last lines:" : ""));
  if (!hasLines) return;
  std::string_view left = lastLines->text();
  while (!left.empty()) {
    size_t end = std::min(left.find('\n'), left.size());
    std::fprintf(stderr, "  | %.*s\n", static_cast<int>(end), left.data());
    left.remove_prefix(std::min(end + 1, left.size()));
  }
}

}  // namespace verbena::launch
