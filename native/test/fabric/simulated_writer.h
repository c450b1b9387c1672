// SPDX-License-Identifier: Apache-2.0
//
// A process that does what it is told, one thing at a time, with the memory of another one: so that
// whoever tells two of them decides in which order everything happens. It can be told to stop, or
// to die, in the very middle of an operation: a page of its own memory is taken away from it, and
// whoever comes upon that stops there.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "../softnic/processes.h"
#include "memories.h"

namespace verbena::fabric::testing {

struct Command {
  enum : uint8_t {
    Link,    ///< makes `link`; its end is told, and the far one heard
    Post,    ///< one operation: is answered by Posted
    Settle,  ///< rounds until all is told of, or the link has failed: is answered by Told
    Close,   ///< ends the link: likewise
    Quit,
  } what;
  enum class Trap : uint8_t { none, stop, die } trap = Trap::none;
  Operation operation = Operation::put;
  connect::LinkId link = 0;
  RegionKey key{};
  uint64_t offset = 0;
  uint64_t length = 0;
  uint64_t cookie = 0;  ///< and what each word of a put is
};

struct Posted {
  int code;        ///< an errno, 0 for none
  uint32_t count;  ///< 0: no room
};

/// How one operation has ended, and what a get or an atomic has brought.
struct End {
  static constexpr size_t kWords = 8;
  uint64_t cookie;
  Done::Outcome outcome;
  std::array<uint64_t, kWords> words;
};
struct Told {
  uint32_t count;  ///< so many End follow
  bool failed;     ///< the link has
};

/// What it says of itself when it is there: the name of the book of what it lends.
struct Presence {
  uint64_t book;
  bool isMapped;
};

/// At most so many operations are open: each has a place in its memory.
inline constexpr uint64_t kMostOpen = 8;

/// The process.
void obey(const softnic::testing::Line& line, connect::NodeId id, bool mapping);

}  // namespace verbena::fabric::testing
