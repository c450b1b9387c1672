// SPDX-License-Identifier: Apache-2.0
//
// A link for one-sided operations: those that are posted, until they are done, and how many signals
// each side has room for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "fabric/link.h"
#include "fabric/request.h"
#include "fabric/window.h"

namespace verbena::fabric {

class OneSided;

class OneSidedLink final : public Link {
 public:
  OneSidedLink(OneSided& service, Worker& worker, uint32_t place);

  /// What a far end says of itself, if that makes sense.
  struct Far {
    QueuePairEnd end;
    uint16_t signals;  ///< how many it has room for
    uint32_t flushKey;
    uint64_t flushAddress;             ///< what a flush reads
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
  void reclaimable() override;
  void letGo() override {}
  void ended(uint64_t number) override;
  void tell(uint64_t number, ibv_wc_status status);

  base::Result<uint32_t> chainOf(std::span<const Request> requests) const;
  base::Result<void> check(const Request& request) const;
  base::Result<void> checkLocal(const Request& request, uint64_t length) const;
  base::Error refuse(const Request& request, int code, const std::string& why) const;
  uint32_t postChain(std::span<const Request> requests);
  void fill(ibv_send_wr& into, ibv_sge& piece, const Request& request) const;
  void fillFlush(ibv_send_wr& into, ibv_sge& piece) const;
  bool postDues();
  bool postReport();
  bool postTail();
  bool postOwn(ibv_send_wr& request);
  uint32_t roomInQueue();

  OneSided& service_;
  connect::LinkName name_{};
  uint64_t incarnation_ = 0;  // of the peer
  Far far_{};
  std::vector<Open> operations_;  // by place
  bool tailIsSilent_ = false;     // what was posted last does not report
  uint64_t told_ = 0;             // up to which number; by whoever has the turn to poll

  SendWindow signalsOut_;
  ReceiveWindow signalsIn_;
  uint32_t generation_ = 0;  // of that window
  uint32_t granted_ = 0;     // its size
};

}  // namespace verbena::fabric
