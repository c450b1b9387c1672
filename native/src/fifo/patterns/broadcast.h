// SPDX-License-Identifier: Apache-2.0
//
// Every message to every reader.
#pragma once

#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "fifo/patterns/writers.h"

namespace verbena::fifo {

/// Used by one thread at a time.
class Broadcast {
 public:
  /// Throws std::invalid_argument if there is no writer, or they are of several nodes.
  explicit Broadcast(std::vector<std::unique_ptr<Writer>> writers) : writers_(std::move(writers)) {}

  size_t size() const { return writers_.size(); }
  Writer& writer(size_t index) { return writers_[index]; }
  Ends ends() const { return writers_.ends(); }

  /// Copies a message of any size to all. wouldBlock: some lack room; call again with the same,
  /// which goes on: nobody gets it twice. lost: the reader to() is gone, which is told once; call
  /// again with the same, for the others. Once all have gone it is lost each time, and to() is
  /// size().
  Outcome push(Pushing& message) {
    Outcome state = writers_.state();
    if (state != Outcome::done) return state;
    return writers_.pushEach(message.begun, [&](size_t) { return message.from; });
  }
  Outcome push(Pushing& message, std::chrono::nanoseconds timeout) {
    return writers_.channels().attempt({ends()}, timeout, [&] { return push(message); });
  }
  /// Ends the stream of all who are there. lost: as in push(); call again, for the others.
  Outcome close(std::chrono::nanoseconds timeout) { return writers_.close(timeout); }

  /// Who is lost, if that was the last outcome.
  size_t to() const { return writers_.to(); }

 private:
  Writers writers_;
};

}  // namespace verbena::fifo
