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

/// Whether whoever locked a file of the folder for life (SharedFile::lockForLife()) has gone. False
/// where that cannot be found out.
bool isOrphan(const std::string& path);

/// Holds the lock of a folder: who waits for it and who has it are processes of this user. The
/// kernel frees it when its holder dies. Not for long: one that has stopped is waited for for 5 s
/// (ETIMEDOUT).
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);
  explicit operator bool() const { return held_; }

 private:
  base::FileDescriptor fd_;
  bool held_ = false;
};

/// What errno says of a lock that was not got, for whom it may be of help; empty if nothing.
std::string whyNotLocked();

}  // namespace verbena::host
