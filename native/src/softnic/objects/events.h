// SPDX-License-Identifier: Apache-2.0
//
// Descriptors that become readable when events wait behind them: completion channels and
// asynchronous events.
#pragma once

#include <infiniband/verbs.h>

#include <deque>
#include <optional>

#include "base/event_fd.h"
#include "host/lock.h"

namespace verbena::softnic {

/// Events of type T between those who make them, under the port's lock, and who reads the
/// descriptor, under none.
template <typename T>
class EventQueue {
 public:
  bool open() { return counter_.open(); }
  int fd() const { return counter_.fd(); }

  void push(const T& event) {
    {
      std::lock_guard guard(lock_);
      events_.push_back(event);
    }
    counter_.add();
  }

  /// The next event. Nothing and errno (EAGAIN) if there is none and the descriptor does not block.
  /// `count` is called with it before anybody can withdraw it.
  template <typename Count>
  std::optional<T> take(Count count) {
    while (counter_.take()) {
      std::lock_guard guard(lock_);
      if (events_.empty()) continue;  // it was withdrawn with its object
      T event = events_.front();
      events_.pop_front();
      count(event);
      return event;
    }
    return std::nullopt;
  }

  /// Drops the events that match, of an object that is being destroyed.
  template <typename Predicate>
  void withdraw(Predicate matches) {
    std::lock_guard guard(lock_);
    std::erase_if(events_, matches);
  }

 private:
  host::Lock lock_;
  std::deque<T> events_;
  base::EventCounter counter_;
};

/// Counts events of an object that were taken and acknowledged. Destroying the object waits until
/// both agree, as in libibverbs, so that no event in a user's hand outlives its object.
template <typename Object>
void waitForAcknowledged(Object& object, const uint32_t& completed, const uint32_t& taken) {
  pthread_mutex_lock(&object.mutex);
  while (completed != taken) pthread_cond_wait(&object.cond, &object.mutex);
  pthread_mutex_unlock(&object.mutex);
}

template <typename Object>
void acknowledge(Object& object, uint32_t& completed, uint32_t count) {
  pthread_mutex_lock(&object.mutex);
  completed += count;
  pthread_cond_signal(&object.cond);
  pthread_mutex_unlock(&object.mutex);
}

template <typename Object>
void countTaken(Object& object, uint32_t& taken) {
  pthread_mutex_lock(&object.mutex);
  taken++;
  pthread_mutex_unlock(&object.mutex);
}

}  // namespace verbena::softnic
