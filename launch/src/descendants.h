// SPDX-License-Identifier: Apache-2.0
//
// All processes that come from this one: whose parent dies becomes its child, however deep it was.
#pragma once

#include <sys/types.h>

#include <functional>
#include <set>
#include <string>

namespace verbena::launch {

class Descendants {
 public:
  /// From here on orphans come to this process. Children that it has already are not its business:
  /// a shell that has started some may have become this program.
  Descendants();

  /// Kills them until there are none, and tells of each how it has ended. What the kernel does not
  /// let go of for some seconds, or this user may not kill, is left alone from then on.
  /// @return what is left
  std::set<pid_t> killAll(const std::function<void(pid_t, int status)>& ended = [](pid_t, int) {});

 private:
  std::set<pid_t> children() const;

  std::set<pid_t> notOurs_;
};

/// What is known of a process that lives: "process 17 ('name', state D)".
std::string describe(pid_t pid);

/// Kills every process of this user that was started with this variable, "NAME=VALUE", until there
/// are none: what is left where nobody was there to adopt it.
void killMarked(const std::string& variable);

}  // namespace verbena::launch
