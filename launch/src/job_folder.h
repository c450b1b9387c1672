// SPDX-License-Identifier: Apache-2.0
//
// The folder in which the ranks of a host find what they share.
#pragma once

#include <string>

#include "base/descriptor.h"
#include "base/result.h"

namespace verbena::launch {

/// A name that nobody else has, in the folder that the variable VERBENA_RUN_FOLDER names, else in
/// /dev/shm, where there is none in /tmp. Nothing is made.
base::Result<std::string> newFolderName();

/// Readable by this user alone. The folder is in use for as long as the descriptor is open.
base::Result<base::FileDescriptor> makeFolder(const std::string& path);

/// The folder and the files in it. One that is not there is let pass.
void removeFolder(const std::string& path);

/// Removes folders of this user's jobs that nobody uses: their processes were killed all at once.
void removeUnusedFolders();

}  // namespace verbena::launch
