// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace verbena::perf {

enum class Operation { Send, Write, Read, FetchAdd, CompareSwap };
enum class Measure { Bandwidth, Latency };

struct Options {
  Operation operation = Operation::Send;
  Measure measure = Measure::Bandwidth;
  std::string device = "softnic";
  uint32_t sizeBytes = 64;
  uint32_t postList = 1;      ///< requests per ibv_post_send
  uint32_t signalEvery = 32;  ///< bandwidth: every n-th request completes visibly
  uint32_t depth = 256;       ///< requests under way
  double seconds = 1.0;
  uint32_t repeat = 3;
  bool shareable = true;  ///< memory from the device's allocator; otherwise plain memory
  bool events = false;    ///< sleep on the completion channel instead of polling
  bool json = false;
};

const char* name(Operation operation);

/// Reads the command line, or says what is wrong with it and how it should be, and exits.
Options parseOptions(int argc, char** argv);

}  // namespace verbena::perf
