// SPDX-License-Identifier: Apache-2.0
//
// One-sided memory as a service of the fabric: operations between a local region and what a key of
// a peer names, without its processor (docs/fabric.md has what is promised).
//
// Threads: any thread may post on any link. It may wait for another thread's post on that link,
// never for a device or a peer. What is done is polled by one thread at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "fabric/link.h"
#include "fabric/region.h"
#include "fabric/region_key.h"
#include "fabric/service.h"

namespace verbena::fabric {

/// The name of the one link for one-sided operations that a worker has with each peer.
inline constexpr connect::LinkName kOneSided{2, 0};

enum class Operation : uint8_t { put, get, fetchAdd, compareSwap };
const char* nameOf(Operation operation);

/// One operation. Bounds are in bytes.
struct Request {
  Operation operation = Operation::put;
  bool fence = false;  ///< begins only when every get and atomic of its link before it is done
  const Region* local = nullptr;  ///< kept by the caller until the operation is done
  uint64_t localOffset = 0;
  RegionKey key{};
  uint64_t offset = 0;   ///< in what the key names
  uint64_t length = 0;   ///< of a put or get; an atomic has 8
  uint64_t operand = 0;  ///< what is added, or compared
  uint64_t swap = 0;     ///< what is stored if the comparison holds
  uint64_t cookie = 0;   ///< comes back in Done
};

/// How an operation ended (docs/fabric.md, "What is promised").
struct Done {
  enum class Outcome : uint8_t {
    done,     ///< executed; a get or an atomic has its result in the local region
    refused,  ///< by a device: it was not executed, but some or all bytes of a put or get may have
              ///< moved
    unknown,  ///< the link ended first: it may or may not have been executed
  };
  uint64_t cookie;
  Outcome outcome;
  Operation operation;
  ibv_wc_status status;  ///< of the device, for the curious
};

class OneSided;

/// A link for one-sided operations: the requests that are posted, until they are done.
class OneSidedLink final : public Link {
 public:
  OneSidedLink(OneSided& service, Worker& worker, uint32_t place);

  base::Result<connect::LinkEnd> make(const connect::NewLink& link) override;
  base::Result<void> connect(const connect::LinkEnd& far) override;
  Pumped pump() override { return Pumped::Done; }

  /// Under the turn, which it keeps for a moment: of the first requests so many as make up one
  /// chain. How many were posted; 0: there is no room now. The error is of the first of them, which
  /// cannot be posted at all.
  base::Result<uint32_t> post(std::span<const Request> requests);

 private:
  static constexpr uint32_t kChain = 16;
  /// Of a chain; a device in software copies while it posts.
  static constexpr uint64_t kChainBytes = 1 << 20;

  struct Open {
    uint64_t cookie;
    Operation operation;
  };

  void completed(uint64_t number, ibv_wc_status status) override;
  void reclaimable() override;
  void letGo() override {}
  void ended(uint64_t number) override;
  void tell(uint64_t number, ibv_wc_status status);
  base::Result<uint32_t> chainOf(std::span<const Request> requests) const;
  base::Result<void> check(const Request& request) const;
  base::Error refuse(const Request& request, int code, const std::string& why) const;
  uint32_t postChain(std::span<const Request> requests);
  void fill(ibv_send_wr& into, ibv_sge& piece, const Request& request) const;
  uint32_t roomInQueue();

  OneSided& service_;
  uint64_t incarnation_ = 0;      // of the peer
  std::vector<Open> operations_;  // by place
  uint64_t told_ = 0;             // up to which number; by whoever has the turn to poll
};

class OneSided final : public Service {
 public:
  /// With room for what all links of the worker may have open. Lives as long as the worker.
  explicit OneSided(Worker& worker);

  std::unique_ptr<Link> newLink(Worker& worker, uint32_t place) override;
  base::Result<void> judge(const connect::NewLink& link) const override;
  base::Error noPlace(const connect::NewLink& link) const override;
  size_t receive() override { return 0; }
  void drain() override {}
  bool armArrivals() override { return true; }
  bool hasArrivals() const override;

  /// How many of them were posted; fewer: there is no room for more now, or the next one is
  /// refused, which is told of when it comes first. The error is of the first, and costs nothing.
  /// ENOTCONN: the link is not up.
  base::Result<uint32_t> post(connect::LinkId link, std::span<const Request> requests);
  /// Takes what is done; returns how many. Worker::progress() brings it. Whoever does not poll has
  /// no room to post after a while.
  size_t poll(std::span<Done> done);

 private:
  friend class OneSidedLink;

  /// So many more may be open: what is done has its place until it is polled.
  uint32_t reserve(uint32_t wanted);
  /// release pairs with reserve(): what was polled from the places is read
  void giveBack(uint32_t count) { open_.fetch_sub(count, std::memory_order_release); }
  void push(const Done& done) { ring_[filled_++ & (ring_.size() - 1)] = done; }
  /// Shows what was pushed.
  void publish();
  base::Result<uint32_t> postChain(connect::LinkId link, std::span<const Request> requests);

  Worker& worker_;
  std::vector<Done> ring_;                     // a power of two
  uint64_t filled_ = 0;                        // by whoever has the turn to poll
  alignas(64) std::atomic<uint64_t> open_{0};  // posted and not polled yet
  alignas(64) std::atomic<uint64_t> shown_{0};
  alignas(64) std::atomic<uint64_t> polled_{0};
};

}  // namespace verbena::fabric
