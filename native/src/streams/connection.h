// SPDX-License-Identifier: Apache-2.0
//
// One connection: a link with outgoing streams, and how far these have got.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "fabric/link.h"
#include "fabric/window.h"
#include "streams/chain.h"
#include "streams/control_stream.h"
#include "streams/counters.h"
#include "streams/terms.h"
#include "streams/window_use.h"
#include "streams/works.h"

namespace verbena::streams {

class StreamService;

class Connection final : public fabric::Link {
 public:
  Connection(Works& works, StreamService& service, uint32_t place);

  const SendCounters& counters() const { return counters_; }

  // --- its life, by the job thread
  base::Result<connect::LinkEnd> make(const connect::NewLink& link) override;
  base::Result<void> connect(const connect::LinkEnd& far) override;

  // --- out, under the turn
  base::Result<void> openStream(OutStream stream);
  /// From here on large slices are written there.
  void placeStream(uint32_t stream, const Place& place);
  void closeStream(uint32_t stream);
  Pumped pump() override;
  // any thread
  size_t writeControl(connect::LinkId id, std::span<const std::byte> bytes) {
    return control_.write(id, bytes);
  }

  // --- what arrives, by whoever has the turn to poll
  /// With how many sends the far side has done, all in all, by the count that has come with a send;
  /// none if it claims more than was sent.
  std::optional<uint64_t> readReport(uint16_t count) const {
    return sendWindow_.read(count, Immediate::kWaits - 1);
  }
  void hearReport(uint64_t done);
  fabric::ReceiveWindow& receiveWindow() { return receiveWindow_; }
  WindowUse& windowUse() { return windowUse_; }
  uint32_t generation() const { return generation_; }

 private:
  enum class Stop : uint8_t { NothingLeft, QueueFull, WindowShut, ChainFull };

  /// Memory of a closed stream that sends up to a number still use.
  struct RetiredRing {
    std::shared_ptr<Ring> ring;
    uint64_t until;
  };

  // connection.cpp
  void letGo() override;
  void ended(uint64_t number) override;
  void restart(connect::LinkId id);

  // connection_pump.cpp
  std::vector<OutStream>::iterator find(uint32_t stream);
  void retire(OutStream& stream);
  uint32_t roomInQueue();
  uint32_t roomForPayload() const;
  bool hasMore();
  bool hasRoomForReport() const { return receiveWindow_.due() && sendWindow_.room() != 0; }
  OutStream* nextStream();
  Stop fill(Chain& chain);
  void addReportIfDue(Chain& chain);
  bool finishAndPost(Chain& chain);
  bool postChain(Chain& chain);
  void count(const Chain& chain);
  void record(const Chain& chain);
  bool waitsFor(Stop why);
  void awaitRetired();
  void reclaim();
  SliceHeader* headerOf(uint64_t number) { return headers_ + requests().place(number); }

  Works& works_;
  StreamService& service_;

  // under the turn
  Terms near_{};
  uint32_t maxSliceBytes_ = 0;
  SliceHeader* headers_;
  ControlStream control_;
  std::vector<OutStream> streams_;  // the control stream first
  size_t turnOf_ = 0;               // the stream whose slice comes next
  uint64_t chains_ = 0;             // that were begun
  std::vector<RetiredRing> retired_;
  std::vector<uint64_t> controlEnds_;  // of the control stream, by place of the send; 0: not of it
  bool flushDue_ = false;              // a closed stream waits for sends that report nothing
  bool waits_ = false;                 // more is ready than the far side's window lets through
  SendCounters counters_;

  fabric::SendWindow sendWindow_;
  fabric::ReceiveWindow receiveWindow_;
  WindowUse windowUse_;
  uint32_t generation_ = 0;
};

}  // namespace verbena::streams
