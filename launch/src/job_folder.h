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

/// Readable by this user alone. The folder is in use for as long as the descriptor is open: only
/// who holds it kills or removes by its name. Nobody else may make a folder of this name.
base::Result<base::FileDescriptor> makeFolder(const std::string& path);

/// The folder and the files in it, which `held` has in use. Nothing without it.
void removeFolder(const std::string& path, base::FileDescriptor held);

/// The same of a folder whose user has ended, whole or half made. One that is in use, or not there,
/// is let pass.
void removeIfUnused(const std::string& path);

/// Removes folders of this user's jobs that nobody uses: their processes were killed all at once.
/// What is left of such a job's ranks is killed.
void removeUnusedFolders();

}  // namespace verbena::launch
