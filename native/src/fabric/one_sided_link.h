// SPDX-License-Identifier: Apache-2.0
//
// A link for one-sided operations: those that are posted, until they are done, and how many signals
// each side has room for.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "fabric/link.h"
#include "fabric/link_counters.h"
#include "fabric/mapped_way.h"
#include "fabric/request.h"
#include "fabric/window.h"

namespace verbena::fabric {

class OneSided;

/// How operations of a link go.
struct Way {
  bool mapped = false;     ///< those that can, by memory that both processes have mapped
  std::string why{};       ///< not, for people; empty if so
  uint64_t byMapping = 0;  ///< operations so far
  uint64_t byDevice = 0;
  std::string wire{};  ///< of the device: its name, and which wire of softnic's it is

  /// All of it, for people.
  std::string sentence() const;
};

class OneSidedLink final : public Link {
 public:
  OneSidedLink(OneSided& service, Worker& worker, uint32_t place);

  /// What a far end says of itself, if that makes sense.
  struct Far {
    QueuePairEnd end;
    uint16_t signals;  ///< how many it has room for
    uint32_t flushKey;
    uint64_t flushAddress;             ///< what a flush reads
    Seat seat;                         ///< where we may work on its mapped memory
    std::span<const std::byte> words;  ///< of its LinkUser; as long as the end
  };
  static base::Result<Far> judged(connect::NodeId peer, const connect::LinkEnd& far);

  base::Result<connect::LinkEnd> make(const connect::NewLink& link) override;
  base::Result<void> connect(const connect::LinkEnd& far) override;
  /// Reports the signals that were taken, if the far side waits for that.
  Pumped pump() override;

  /// Under the turn, which it keeps for a moment: of the first requests so many as make up one
  /// chain. How many were posted; 0: there is no room now. The error is of the first of them, which
  /// cannot be posted at all.
  base::Result<uint32_t> post(std::span<const Request> requests);

  /// Under the turn.
  Way way();
  std::string wire() const;
  /// Whether an operation has ended of which nobody knows how; the link cannot go on then.
  bool wasLost() const { return wasLost_; }
  /// What it has done. Any thread, without the turn.
  LinkCounts counts() const;

  // --- quiet
  /// Under the turn: up to which number everything has been posted. Once that is told of, what was
  /// done can be seen at the target. Nothing if that takes a read more, for which there is no room
  /// now.
  std::optional<uint64_t> lastToBeTold();
  /// Whether everything up to the number has ended, and what gets of it have brought is there. Any
  /// thread, without the turn.
  bool hasTold(uint64_t number) const {
    return told_.load(std::memory_order_acquire) >= number;  // pairs with tellUntil()
  }

  // --- what arrives, by whoever has the turn to poll
  /// An arrival that was good. False if it makes no sense.
  bool hear(const ibv_wc& arrival);
  ReceiveWindow& signalsIn() { return signalsIn_; }

 private:
  static constexpr uint32_t kChain = 16;
  /// Of a chain; a device in software copies while it posts.
  static constexpr uint64_t kChainBytes = 1 << 20;

  /// What is under way. Its cookie, bounds and key are told of when it is done.
  struct Open {
    uint64_t cookie;
    uint64_t offset;
    uint64_t length;
    uint32_t rkey;
    Operation operation;
    bool isOwn;  // the link's: nobody hears of its end
  };

  void completed(uint64_t number, ibv_wc_status status) override;
  void shutOut() override { mapped_.shutOut(); }
  bool isLeft() const override { return mapped_.isLeft(); }
  void letGo() override {}
  void ended(uint64_t number) override;
  void tellUntil(uint64_t number, ibv_wc_status status);
  void countFailed();
  Done doneOf(const Open& open, ibv_wc_status status) const;

  base::Result<uint32_t> chainOf(std::span<const Request> requests);
  base::Result<void> check(const Request& request);
  base::Result<void> checkLocal(const Request& request, uint64_t length) const;
  base::Error refuse(const Request& request, int code, const std::string& why) const;
  bool isPlaced() const;
  bool goesByMapping();
  base::Result<uint32_t> executeMapped(std::span<const Request> requests, bool& isBegun);
  MappedWay::Outcome executeMapped(const Request& request);
  uint32_t waitForMapping();
  base::Result<uint32_t> cutAtRevoked(std::span<const Request> requests);
  base::Error refuseRevoked(const Request& request) const;
  uint32_t postToDevice(std::span<const Request> requests);
  uint32_t postChain(std::span<const Request> requests);
  void note(std::span<const Request> taken);
  void fill(ibv_send_wr& into, ibv_sge& piece, const Request& request) const;
  void fillFlush(ibv_send_wr& into, ibv_sge& piece) const;
  bool postDues();
  bool postReport();
  bool postTail();
  bool postFlush();
  bool postOwn(ibv_send_wr& request);
  uint32_t roomInQueue();

  OneSided& service_;
  connect::LinkName name_{};
  uint64_t incarnation_ = 0;  // of the peer
  Far far_{};
  std::vector<Open> operations_;   // by place
  bool tailIsSilent_ = false;      // what was posted last does not report
  std::atomic<uint64_t> told_{0};  // up to which number; written by whoever has the turn to poll

  MappedWay mapped_;
  uint64_t lastWrite_ = 0;  // the number of the latest put or signal of the device, while it lives
  uint64_t lastRead_ = 0;   // of what it answers to with what it has read, likewise
  LinkCounters counters_;
  bool wasLost_ = false;

  SendWindow signalsOut_;
  ReceiveWindow signalsIn_;
  uint32_t generation_ = 0;  // of that window
  uint32_t granted_ = 0;     // its size
};

}  // namespace verbena::fabric
