// SPDX-License-Identifier: Apache-2.0
//
// A folder of this user alone, in which processes find what they share.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"

namespace verbena::host {

/// Whether there is a folder that is this user's, and that others may not look into. False and
/// errno otherwise; EPERM as below.
bool isOurFolder(const std::string& path);

/// Makes the folder (0700) if it is not there. False and errno on failure; EPERM if it belongs to
/// somebody else or others may look into it.
bool makePrivateFolder(const std::string& path);

/// The names in a folder, `.` and `..` among them; none if it cannot be read.
std::vector<std::string> namesIn(const std::string& path);

/// Whether a name is of this form, in which # stands for digits and $ for 16 lower-case hexadecimal
/// ones: such files are ours to sweep, others are somebody else's.
bool isOfForm(std::string_view name, std::string_view form);

/// Whether whoever locked a file of the folder for life (SharedFile::lockForLife()) has gone. False
/// where that cannot be found out.
bool isOrphan(const std::string& path);

/// How long somebody waits for what goes round: as long as it goes on going round. It is over when
/// one has had it for so long that he must have stopped.
class TurnPatience {
 public:
  using Clock = std::chrono::steady_clock;
  explicit TurnPatience(Clock::duration patience) : patience_(patience) {}

  /// `turn` is the number of whoever has it now.
  bool isOver(uint64_t turn, Clock::time_point now) {
    if (turn != turn_ || since_ == Clock::time_point{}) {
      turn_ = turn;
      since_ = now;
    }
    return now - since_ >= patience_;
  }

 private:
  Clock::duration patience_;
  uint64_t turn_ = 0;
  Clock::time_point since_{};
};

/// Holds the lock of a folder: who waits for it and who has it are processes of this user. The
/// kernel frees it when its holder dies. Not for long: one that has stopped is waited for for 5 s
/// (ETIMEDOUT); many that come at once, until each has had its turn.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);
  explicit operator bool() const { return held_; }

 private:
  bool tryToHold();
  uint64_t turn() const;

  base::FileDescriptor fd_;
  bool held_ = false;
};

/// What errno says of a folder's lock that was not got, for whom it may be of help; empty if
/// nothing.
std::string whyNotLocked(const std::string& folder);

}  // namespace verbena::host
