// SPDX-License-Identifier: Apache-2.0
//
// What channels of this user share on a host lies in one folder, under random names.
#pragma once

#include <cstdint>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "host/private_folder.h"

namespace verbena::fifo {

/// /dev/shm/verbena-fifo-UID
std::string defaultFolder();
std::string pathOf(const std::string& folder, const char* kind, uint64_t name);
/// Never 0.
uint64_t randomName();

/// The folder while something is made in it: under its lock nothing is about to be locked, and what
/// is made is locked before the folder is left, until the process ends.
base::Result<host::FolderLock> enterFolder(const std::string& folder);
/// Removes what processes that have died left there. By who has entered.
void sweepFolder(const std::string& folder);

}  // namespace verbena::fifo
