// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace verbena::loopback {

/// Who sends to whom.
enum class Pattern : uint8_t {
  One,   ///< node 0 to node 1
  All,   ///< everybody to everybody else
  Ring,  ///< everybody to the next
  Trip,  ///< one send from node 0 to node 1 and one back, again and again
};

struct Options {
  uint16_t nodes = 2;
  std::vector<Pattern> phases = {Pattern::One};  ///< one after the other, while running
  std::string device = "softnic";
  uint32_t sizeBytes = 0;  ///< of a send's payload at most; 0: as large as the far side takes
  uint32_t bufferBytes = 32 * 1024;
  uint32_t window = 32;
  uint32_t ringBytes = 4U << 20;
  uint32_t idle = 0;     ///< further connections of each node that carry nothing
  double seconds = 1.0;  ///< of each phase
  bool json = false;
};

const char* name(Pattern pattern);

/// Whether `from` streams to `to`.
bool sends(Pattern pattern, uint16_t nodes, uint16_t from, uint16_t to);

/// Reads the command line, or says what is wrong with it and how it should be, and exits.
Options parseOptions(int argc, char** argv);

}  // namespace verbena::loopback
