// SPDX-License-Identifier: Apache-2.0
//
// What is given is spread over the readers: a part to each, or message by message in turn.
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "fifo/patterns/writers.h"

namespace verbena::fifo {

/// One part for each reader, in their order. It may take several calls.
struct Scattering {
  std::span<const std::span<const std::byte>> parts;
  bool begun = false;
};

/// Used by one thread at a time.
class Scatter {
 public:
  /// Throws std::invalid_argument if there is no writer, or they are of several nodes.
  explicit Scatter(std::vector<std::unique_ptr<Writer>> writers) : writers_(std::move(writers)) {}

  size_t size() const { return writers_.size(); }
  Writer& writer(size_t index) { return writers_[index]; }
  Ends ends() const { return writers_.ends(); }

  /// Copies part i to reader i: each is a message of any size. wouldBlock: some lack room; call
  /// again with the same, which goes on. lost: the reader to() is gone, which is told once; call
  /// again with the same, for the others. Once all have gone it is lost each time, and to() is
  /// size().
  /// Throws std::invalid_argument if there are not as many parts as readers.
  Outcome push(Scattering& message);
  Outcome push(Scattering& message, std::chrono::nanoseconds timeout);
  /// Copies a message to the reader whose turn it is, which to() says. wouldBlock: that one lacks
  /// room, though others have some; lost: as above, and the next one gets the message.
  Outcome push(Pushing& message);
  Outcome push(Pushing& message, std::chrono::nanoseconds timeout);
  /// Ends the stream of all who are there. lost: as in push(); call again, for the others.
  Outcome close(std::chrono::nanoseconds timeout) { return writers_.close(timeout); }

  /// Who has got the message, or is lost: whom the last outcome is about.
  size_t to() const { return writers_.to(); }

 private:
  void skipLost();

  Writers writers_;
  size_t turn_ = 0;
};

}  // namespace verbena::fifo
