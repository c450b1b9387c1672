// SPDX-License-Identifier: Apache-2.0
//
// Streams as a service of the fabric: connections of their own kind, one shared receive queue for
// all of them, and what has arrived in it on its way to the consumer.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "fabric/service.h"
#include "fabric/spsc_ring.h"
#include "streams/connection.h"
#include "streams/counters.h"
#include "streams/engine.h"
#include "streams/shared_receives.h"
#include "streams/works.h"

namespace verbena::streams {

class StreamService final : public fabric::Service {
 public:
  explicit StreamService(Works works);

  std::unique_ptr<fabric::Link> newLink(fabric::Worker& worker, uint32_t place) override;
  base::Result<void> judge(const connect::NewLink& link) const override;
  base::Error noPlace(const connect::NewLink& link) const override;

  // --- by the job thread
  /// A window for a new connection. The receives that it may take are posted.
  base::Result<uint32_t> promise();
  /// There are receives for all that is promised.
  base::Result<void> cover();
  /// Makes memory ready for windows that will grow, where they have used up what was.
  void tend() override;

  // --- by whoever has the turn to poll
  /// A connection has ended, of whose arrivals the consumer still has some.
  void takeBack(uint32_t window, uint32_t stillHeld);
  size_t receive() override;
  void drain() override;

  // --- by the thread that is about to wait
  bool armArrivals() override { return works_.arrivals.arm() == 0; }
  bool hasArrivals() const override { return !incoming_.empty() || receives_.hasReturned(); }

  // --- by the consumer
  size_t take(std::span<Arrival> arrivals);
  /// Any thread.
  void giveBack(std::span<const uint32_t> receives);

  const Works& works() const { return works_; }
  const Counters& counters() const { return counters_; }
  const SharedReceives& receives() const { return receives_; }

 private:
  static constexpr size_t kBatch = 64;

  size_t takeBatch();
  void handOut();
  void postReceives();
  int refill();
  void tellReturned();
  void tellReports();
  void grantGrowth();
  void growWindows();
  Connection* findByQpNum(uint32_t qpNum) const;
  void received(Connection* connection, const ibv_wc& done);
  void arrived(Connection& connection, uint32_t number, const SliceHeader& header);
  void wishForGrowth(const Connection& connection);
  void noteReport(const Connection& connection, uint32_t number, uint64_t done);
  bool hear(Connection& connection, uint32_t number, const ibv_wc& done);
  bool takesOne(Connection& connection, Immediate said);
  bool describe(uint32_t number, Arrival& arrival);
  Connection& at(uint32_t place) const {
    return static_cast<Connection&>(works_.worker.links().at(place));
  }

  Works works_;
  Counters counters_;
  SharedReceives receives_;
  /// Receives that have arrived and that the consumer has not taken: room for all there are.
  fabric::SpscRing<uint32_t> incoming_;
  std::array<ibv_wc, kBatch> batch_{};
  uint32_t late_ = 0;  // receives that are held of connections that have ended
  /// Sends without payload, whose receives are to be posted again.
  struct Report {
    uint32_t connection;
    uint32_t generation;
    uint64_t done;  // by the far side
  };
  std::vector<Report> reports_;
  /// Windows that are too small, and what they grow by.
  struct Growth {
    uint32_t connection;
    uint32_t more;
  };
  std::vector<Growth> growths_;
  std::atomic<bool> coverDue_{false};  // windows have grown
};

}  // namespace verbena::streams
