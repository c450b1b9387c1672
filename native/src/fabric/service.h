// SPDX-License-Identifier: Apache-2.0
//
// What a worker needs of those who use links: streams, and others after them. Each has links of its
// own kind and a receive queue of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "fabric/link.h"

namespace verbena::fabric {

class Service {
 public:
  virtual ~Service() = default;

  /// A link at a place of the worker's table; when the service begins.
  virtual std::unique_ptr<Link> newLink(Worker& worker, uint32_t place) = 0;
  /// Whether the far side's end, where it offers one, makes sense; before a place is taken for it.
  virtual base::Result<void> judge(const connect::NewLink& link) const = 0;
  /// Why there is no place for one more.
  virtual base::Error noPlace(const connect::NewLink& link) const = 0;

  /// Of a service with faces on several workers, asked of the first: which of them a new link is
  /// for. By default its rail says, counted round.
  virtual uint32_t faceFor(const connect::NewLink& link, uint32_t faces) const {
    return link.name.rail % faces;
  }

  // Each face hears of links of all.
  /// A link that had come up is down, and why; by the manager's job thread.
  virtual void down(connect::LinkId /*link*/, const std::string& /*reason*/) {}
  /// One will not come up, though its far side may use it already; like down().
  virtual void notUp(connect::LinkId /*link*/, const std::string& /*reason*/) {}

  /// Ten times a second, by the manager's job thread: what nobody is to wait for.
  virtual void tend() {}

  // --- by whoever has the turn to poll
  /// Takes a batch of what has arrived and posts receives again; returns how many completions.
  virtual size_t receive() = 0;
  /// Takes all that has arrived, before links end. Ends whatever the far sides send meanwhile:
  /// receives are posted again only afterwards.
  virtual void drain() = 0;

  // --- by the thread that is about to wait
  /// Asks for an event upon the next arrival; false if the device does not give one.
  virtual bool armArrivals() = 0;
  /// Whether something waits for whoever takes arrivals.
  virtual bool hasArrivals() const = 0;
};

}  // namespace verbena::fabric
