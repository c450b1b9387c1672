// SPDX-License-Identifier: Apache-2.0
//
// Which words a thread changes by read-modify-write, and which mutexes of the system it takes:
// every lock is one of both, whatever it is made of. A word that is only stored to is none.
#pragma once

#include <map>

namespace verbena::watch {

/// Of each word, or mutex, where this thread has first changed it.
using Words = std::map<const void*, const void*>;

/// From here on what the calling thread does is noted.
void begin();
/// What has been noted since.
Words end();

}  // namespace verbena::watch
