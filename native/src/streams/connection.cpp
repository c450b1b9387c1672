// SPDX-License-Identifier: Apache-2.0
//
// The life of a connection; connection_pump.cpp has its sends.
#include "streams/connection.h"

#include <algorithm>

#include "streams/stream_service.h"

namespace verbena::streams {
namespace {

using base::Result;

/// The slice header, and one or two pieces of a ring.
constexpr uint32_t kSendPieces = 3;

}  // namespace

Connection::Connection(Works& works, StreamService& service, uint32_t place)
    : Link(works.worker, service, place),
      works_(works),
      service_(service),
      headers_(reinterpret_cast<SliceHeader*>(works.outgoing(place))),
      control_(works.outgoing(place + 1) - works.options.controlRingBytes,
               works.options.controlRingBytes),
      controlEnds_(fabric::SendQueue::places(works.options.sendWorkRequests)) {}

Result<connect::LinkEnd> Connection::make(const connect::NewLink& link) {
  restart(link.id);
  Result<uint32_t> window = service_.promise();
  if (!window) return window.error();
  // It may not write before it is given a key: Engine::grant.
  Result<fabric::QueuePairEnd> made = makeQueuePair(link, {.sendPieces = kSendPieces,
                                                           .arrivals = works_.arrivals,
                                                           .receives = &works_.receives,
                                                           .remoteAccess = 0,
                                                           .patience = works_.options.patience});
  if (!made) {
    works_.grants->giveBack(*window);
    return made.error();
  }
  const EngineOptions& options = works_.options;
  near_ = {.window = static_cast<uint16_t>(*window),
           .maxSendBytes = options.receiveBytes(),
           .mostWindow = static_cast<uint16_t>(works_.grants->most())};
  generation_ = receiveWindow_.open(near_.window);
  windowUse_ = {};
  return made->with(near_.bytes());
}

void Connection::restart(connect::LinkId id) {
  control_.restart(id);
  streams_.clear();
  streams_.push_back({kControlStream, nullptr, control_.ring(), works_.outgoingMemory.lkey(),
                      control_.mask(), &control_, 0});
  turnOf_ = 0;
  flushDue_ = waits_ = false;
}

Result<void> Connection::connect(const connect::LinkEnd& far) {
  Result<Terms> terms = Terms::of(peer(), fabric::QueuePairEnd::termsOf(far));
  if (!terms) return terms.error();
  Result<fabric::QueuePairEnd> end = fabric::QueuePairEnd::of(peer(), far);
  if (!end) return end.error();
  if (Result<void> connected = connectTo(*end); !connected) return connected;
  sendWindow_.open(terms->window, terms->mostWindow);
  maxSliceBytes_ = std::min<uint32_t>(terms->maxSendBytes, 1U << 30) - kSliceHeaderBytes;
  listen();
  return {};
}

void Connection::letGo() {
  retired_.reserve(retired_.size() + streams_.size());
  for (OutStream& stream : streams_) retire(stream);
  streams_.clear();
}

void Connection::ended(uint64_t) {
  streams_.clear();
  retired_.clear();
  uint32_t window = receiveWindow_.size();
  service_.takeBack(window, receiveWindow_.shut());
}

}  // namespace verbena::streams
