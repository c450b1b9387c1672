// SPDX-License-Identifier: Apache-2.0
//
// Where the fault script takes hold of a queue pair.
#pragma once

#include <atomic>

#include "softnic/objects/queue_pair.h"

namespace verbena::softnic {

/// Whether the next request may go out now. Otherwise the script holds or fails it.
bool faultLetsPass(QueuePair& qp, SendRequest& request);

/// Whether the script takes hold of the request in the middle of its direct execution.
bool holdsInTheMiddle(const SendRequest& request);

/// That middle.
class FaultPoint {
 public:
  /// Without the lock: waits there, or stops the process, if the script says so.
  void reach() const;

 private:
  friend FaultPoint takeFaultPoint(QueuePair& qp, SendRequest& request);
  Fault fault_;
  std::atomic<uint32_t>* changes_ = nullptr;  // of the script
  uint32_t seen_ = 0;
};
/// Takes it from the request: it is reached once.
FaultPoint takeFaultPoint(QueuePair& qp, SendRequest& request);

/// What is to happen to the next datagram or receive. Throws std::bad_alloc if the script says so.
Fault chooseFault(QueuePair& qp, OperationKind kind);

/// The device has failed as a whole: the event, unless it was raised before, and every queue pair
/// goes to ERR, those of other ports when their threads hear of it.
void failDevice(Context& context);
/// A port's part of that.
void failPort(Context& context);

/// Takes the port down for a time, and with it the others of the device. While it is down nothing
/// is sent or received.
void takePortDown(Context& context, uint64_t durationNs);
/// Brings it up again if its time is over.
void checkPort(Context& context, uint64_t now);

}  // namespace verbena::softnic
