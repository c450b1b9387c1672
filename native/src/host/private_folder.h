// SPDX-License-Identifier: Apache-2.0
//
// A folder of this user alone, in which processes find what they share.
#pragma once

#include <string>
#include <vector>

#include "base/descriptor.h"

namespace verbena::host {

/// Makes the folder (0700) if it is not there. False and errno on failure; EPERM if it belongs to
/// somebody else or others may look into it.
bool makePrivateFolder(const std::string& path);

/// The names in a folder, `.` and `..` among them; none if it cannot be read.
std::vector<std::string> namesIn(const std::string& path);

/// Holds the lock of a folder: who waits for it and who has it are processes of this user. The
/// kernel frees it when its holder dies.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);
  explicit operator bool() const { return held_; }

 private:
  base::FileDescriptor fd_;
  bool held_ = false;
};

}  // namespace verbena::host
