// SPDX-License-Identifier: Apache-2.0
//
// Each message to the worker that has least to do: the one of which the fewest messages are not
// released. None gets many ahead, so that the next message goes to who is free first.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "fifo/patterns/writers.h"

namespace verbena::fifo {

/// A worker releases a message when it is done with it, not before, and calls Reader::tell() then:
/// where memory is not shared the writer would hear of it later, and the worker would be idle.
///
/// Used by one thread at a time.
class OnDemand {
 public:
  /// One that is being worked on, and one that lies there for when it is done.
  static constexpr uint32_t kAhead = 2;

  /// A worker has at most `ahead` messages that it has not released.
  /// Throws std::invalid_argument if there is no writer, they are of several nodes, or `ahead` is
  /// 0.
  explicit OnDemand(std::vector<std::unique_ptr<Writer>> workers, uint32_t ahead = kAhead);

  size_t size() const { return writers_.size(); }
  Writer& writer(size_t worker) { return writers_[worker]; }
  Ends ends() const { return writers_.ends(); }

  /// Where a message of so many bytes may be written, which goes to the worker to(); publish()
  /// follows, or another claim, which takes its place. wouldBlock: no worker takes any more now.
  /// tooLarge: it does not lie in to()'s ring as a whole. lost: the worker to() is gone, which is
  /// told once; call again, for the others. Once all have gone it is lost each time, and to() is
  /// size(). Among workers that have equally much to do it goes around.
  Outcome claim(uint64_t bytes, std::byte*& at);
  Outcome claim(uint64_t bytes, std::byte*& at, std::chrono::nanoseconds timeout);
  void publish(uint64_t bytes);
  /// Copies a message of any size. wouldBlock: as in claim(), or not all of it had room; call again
  /// with the same. lost: the same, and the message goes to another worker as a whole.
  Outcome push(Pushing& message);
  Outcome push(Pushing& message, std::chrono::nanoseconds timeout);
  /// Ends the stream of all workers that are there. lost: as above; call again, for the others.
  Outcome close(std::chrono::nanoseconds timeout) { return writers_.close(timeout); }

  /// Whom the last outcome is about.
  size_t to() const { return writers_.to(); }
  /// Messages that were given: the number of the next one.
  uint64_t given() const { return given_; }
  /// How many messages the worker has not released, as far as that is known here.
  size_t busy(size_t worker);
  /// Their numbers, oldest first. What a worker that is lost has not done.
  std::vector<uint64_t> unreleased(size_t worker);

 private:
  struct Message {
    uint64_t end;  // where it ends in the ring
    uint64_t number;
  };
  /// As many places as a worker may have messages: nothing is allocated on the way.
  struct Queue {
    std::vector<Message> places;
    size_t first = 0;
    size_t count = 0;

    Message& at(size_t index) { return places[(first + index) % places.size()]; }
  };

  template <typename Take>
  Outcome giveToLeastBusy(Take take);
  Outcome count();
  void note();

  Writers writers_;
  std::vector<Queue> queues_;
  size_t turn_ = 0;
  uint64_t given_ = 0;
};

}  // namespace verbena::fifo
