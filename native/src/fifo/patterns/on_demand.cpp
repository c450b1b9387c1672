// SPDX-License-Identifier: Apache-2.0
#include "fifo/patterns/on_demand.h"

#include <stdexcept>
#include <utility>

namespace verbena::fifo {

using std::chrono::nanoseconds;

OnDemand::OnDemand(std::vector<std::unique_ptr<Writer>> workers, uint32_t ahead)
    : writers_(std::move(workers)), queues_(writers_.size()) {
  if (ahead == 0) throw std::invalid_argument("a worker has to get at least one message ahead");
  for (Queue& each : queues_) each.places.resize(ahead);
}

// ------------------------------------------------------------------ who gets it

size_t OnDemand::busy(size_t worker) {
  Queue& queue = queues_[worker];
  if (queue.count == 0) return 0;
  uint64_t released = writers_[worker].released();
  while (queue.count > 0 && queue.at(0).end <= released) {
    queue.first = (queue.first + 1) % queue.places.size();
    queue.count--;
  }
  return queue.count;
}

std::vector<uint64_t> OnDemand::unreleased(size_t worker) {
  std::vector<uint64_t> numbers(busy(worker));
  for (size_t i = 0; i < numbers.size(); i++) numbers[i] = queues_[worker].at(i).number;
  return numbers;
}

/// Also of those who are not asked, since they have enough: whether they are still there.
Outcome OnDemand::count() {
  for (size_t i = 0; i < size(); i++) {
    if (!writers_.isOpen(i)) continue;
    if (!writers_[i].isLinked()) return writers_.lose(i);
    static_cast<void>(busy(i));
  }
  return writers_.state();
}

template <typename Take>
Outcome OnDemand::giveToLeastBusy(Take take) {
  Outcome counted = count();
  if (counted != Outcome::done) return counted;
  for (size_t busy = 0; busy < queues_.front().places.size(); busy++) {
    for (size_t tried = 0; tried < size(); tried++) {
      size_t worker = (turn_ + tried) % size();
      if (!writers_.isOpen(worker) || queues_[worker].count != busy) continue;
      Outcome got = take(worker);
      if (got != Outcome::wouldBlock || writers_.isUnderWay()) return got;
    }
  }
  writers_.channels().drive();  // what workers tell comes by rounds, and that they are lost
  return Outcome::wouldBlock;
}

/// A message has gone to the worker of the last outcome.
void OnDemand::note() {
  size_t worker = writers_.to();
  Queue& queue = queues_[worker];
  queue.at(queue.count++) = {writers_[worker].published(), given_++};
  turn_ = (worker + 1) % size();
}

// ------------------------------------------------------------------ messages

Outcome OnDemand::claim(uint64_t bytes, std::byte*& at) {
  writers_.check(false);
  return giveToLeastBusy([&](size_t worker) { return writers_.claimAt(worker, bytes, at); });
}

Outcome OnDemand::claim(uint64_t bytes, std::byte*& at, nanoseconds timeout) {
  return writers_.channels().attempt({ends()}, timeout, [&] { return claim(bytes, at); });
}

void OnDemand::publish(uint64_t bytes) {
  if (to() == size()) throw std::invalid_argument("publish: nothing is claimed");
  writers_[to()].publish(bytes);
  note();
}

Outcome OnDemand::push(Pushing& message) {
  writers_.check(message.begun);
  Outcome got = message.begun
                    ? writers_.pushTo(to(), message)
                    : giveToLeastBusy([&](size_t i) { return writers_.pushTo(i, message); });
  if (got == Outcome::done) note();
  return got;
}

Outcome OnDemand::push(Pushing& message, nanoseconds timeout) {
  return writers_.channels().attempt({ends()}, timeout, [&] { return push(message); });
}

}  // namespace verbena::fifo
