// SPDX-License-Identifier: Apache-2.0
//
// Processes with one end of a channel each, which halt at a step of what they do with it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../softnic/processes.h"
#include "channels.h"

namespace verbena::fifo::testing {

/// The ring of a victim's channel: all that is written here has room in it.
inline constexpr uint64_t kVictimCapacity = 4096;
/// What is written: a few messages in place, and one in pieces.
inline constexpr uint64_t kVictimMessages = 4;

/// Of a writer that is there: before it walks it writes two of these. What it writes then goes
/// around the ring's end, over bytes that are not zero.
inline constexpr int kBeforeIt = 2;
inline constexpr size_t kBytesBeforeIt = kVictimCapacity / 2 - 250;

/// Message `number`, which says what it is in each of its bytes.
std::vector<std::byte> victimMessage(uint64_t number);

struct Order {
  uint16_t channel;                   ///< its number
  Listens peer;                       ///< node 2, which has the other end
  uint64_t at;                        ///< the step in front of which it halts; 0: none
  int signal;                         ///< by which
  std::chrono::nanoseconds patience;  ///< to be linked
};

/// What a victim that has not halted, or was continued, says of its steps.
struct Walked {
  /// At most so many are told of.
  static constexpr size_t kMost = 512;
  uint64_t steps;
  /// Those in front of which something in the ring has changed, where memory is shared.
  uint64_t changes;
  std::array<uint64_t, kMost> at;
};

enum class Part : uint8_t {
  use,      ///< the channel is there: steps are instructions of the thread that uses it
  connect,  ///< steps are system calls of all threads while it is opened
};

struct Victim {
  connect::NodeId node;
  Place place;
  std::string ports;  ///< softnic's folder; empty: this process's
  Part part;
  /// In memory of both processes: how many messages it has published, or released.
  std::atomic<uint64_t>* done;
};

/// The process. It hears its order and says true when its end is there (`use`) or is about to be
/// (`connect`; of a reader its address comes first), hears that it is to go on (true), and tells
/// how it has walked. If it is told to go on (true again) it uses its end until that is lost, and
/// says whether it knows why. One that was not linked knows why if it is told so. A writer
/// that is there says true once more, when it knows that what it wrote before is read.
void beWriter(const softnic::testing::Line& line, const Victim& victim);
void beReader(const softnic::testing::Line& line, const Victim& victim);

}  // namespace verbena::fifo::testing
