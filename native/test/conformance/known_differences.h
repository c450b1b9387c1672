// SPDX-License-Identifier: Apache-2.0
//
// Where a device is known not to do what the specification says. softnic has none: it follows the
// specification. A test that meets a difference expects what the device does in place, so that it
// tells us when the device changes.
#pragma once

#include <string_view>

namespace verbena::conformance {

/// Those of rxe were met with Linux 6.1 and rdma-core 44.
enum class KnownDifference {
  /// A local key that names no region, or one of another protection domain, is a local QP operation
  /// error
  /// in place of a local protection error: the driver maps only accesses beyond a region to the
  /// latter.
  wrongKeyIsQpOperationError,
  /// A receive that is too short is a local QP operation error, and a remote operation error for
  /// the
  /// sender, in place of a local length error and a remote invalid request.
  shortReceiveIsQpOperationError,
  /// An atomic operation on an address that is not aligned is refused when it is posted; the
  /// specification
  /// lets the responder find out.
  unalignedAtomicIsRefusedAtOnce,
  /// A queue pair in error does not flush receives that are posted later: the library only writes
  /// them to
  /// a ring that nobody looks at any more.
  lateReceivesAreNotFlushed,
  /// No asynchronous event tells the responder of a request that it had to refuse.
  noAccessErrorEvent,
  /// No asynchronous event says that a queue pair in error takes nothing from its shared receive
  /// queue
  /// any more.
  noLastWqeEvent,
  /// No asynchronous event tells of the first message that comes before the queue pair may send.
  noEstablishedEvent,
  /// A send queue is reported drained although a request that was refused is still to be sent
  /// again; it is not sent before the queue may send.
  drainedBeforeRefusedRequests,
  /// What was posted while the send queue was drained is sent with the next request that is posted
  /// after it may send again.
  goesOnWithTheNextPost,
  /// A message that nobody answers is sent again without end when seven retries are allowed: the
  /// driver takes seven for any number, as the specification does of receivers that are not ready
  /// alone. Whoever wants to notice a peer that has gone allows six.
  sevenRetriesAreWithoutEnd,
  /// The high bit of a Q_Key is sent as it is in place of asking for the queue pair's own key.
  controlledQkeyIsSentAsItIs,
};

/// How the names of the devices that have the difference begin.
constexpr std::string_view kindOfDevice(KnownDifference) {
  return "rxe";
}

}  // namespace verbena::conformance
