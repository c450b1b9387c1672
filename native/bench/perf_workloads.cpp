// SPDX-License-Identifier: Apache-2.0
#include "perf_workloads.h"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace verbena::perf {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Requests chained `postList` at a time, every `signalEvery`-th signalled, `depth` under way.
class Stream {
 public:
  explicit Stream(Side& side) : side_(side), options_(side.options()), sge_(side.sge()) {
    chain_.assign(options_.postList, side.request(sge_));
    for (size_t i = 0; i + 1 < chain_.size(); i++) chain_[i].next = &chain_[i + 1];
  }

  void postChain() {
    for (ibv_send_wr& request : chain_) {
      bool signalled = ++posted_ % options_.signalEvery == 0;
      request.send_flags = signalled ? static_cast<unsigned>(IBV_SEND_SIGNALED) : 0U;
    }
    side_.post(chain_[0]);
  }

  bool full() const { return posted_ - done_ + options_.postList > options_.depth; }
  void completed(uint32_t count) { done_ += uint64_t{count} * options_.signalEvery; }
  uint64_t posted() const { return posted_; }
  bool endsSignalled() const { return posted_ % options_.signalEvery == 0; }
  bool drained() const { return done_ == posted_; }

 private:
  Side& side_;
  const Options& options_;
  ibv_sge sge_;
  std::vector<ibv_send_wr> chain_;
  uint64_t posted_ = 0;
  uint64_t done_ = 0;
};

Result measureBandwidth(Side& side) {
  Stream stream(side);
  Clock::time_point start = Clock::now();
  double elapsed = 0;
  while (elapsed < side.options().seconds) {
    // Ends with a signalled request, so that its completion stands for all.
    for (int i = 0; i < 100 || !stream.endsSignalled(); i++) {
      while (stream.full()) stream.completed(side.takeCompletions());
      stream.postChain();
    }
    elapsed = secondsSince(start);
  }
  while (!stream.drained()) stream.completed(side.takeCompletions());
  elapsed = secondsSince(start);
  side.tell(stream.posted());
  Result result;
  result.perSecond = static_cast<double>(stream.posted()) / elapsed;
  result.megabytesPerSecond = result.perSecond * side.options().sizeBytes / 1e6;
  return result;
}

/// Receives until everything the sender says it sent is here.
void receive(Side& side) {
  uint64_t received = 0;
  uint64_t expected = UINT64_MAX;
  uint32_t consumed = 0;
  uint32_t batch = std::min(32U, side.options().depth / 4 + 1);
  while (received < expected) {
    uint32_t count = side.options().events ? side.takeCompletions() : side.pollCompletions();
    received += count;
    consumed += count;
    if (consumed >= batch) {
      side.postReceives(consumed);
      consumed = 0;
    }
    bool told = count == 0 && side.heard();
    if (told && expected == UINT64_MAX) expected = side.hear<uint64_t>();
  }
  side.postReceives(consumed);
}

Result measureRoundTrips(Side& side) {
  ibv_sge list = side.sge();
  ibv_send_wr request = side.request(list);
  request.send_flags = IBV_SEND_SIGNALED;
  bool echoed = side.options().operation == Operation::Send;
  Result result;
  Clock::time_point start = Clock::now();
  while (secondsSince(start) < side.options().seconds) {
    Clock::time_point before = Clock::now();
    side.post(request);
    // A SEND is over when its echo is here too.
    for (uint32_t done = 0; done < (echoed ? 2U : 1U);) done += side.takeCompletions();
    auto took = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - before);
    result.rttNs.push_back(static_cast<uint64_t>(took.count()));
    if (echoed) side.postReceives(1);
  }
  result.perSecond = static_cast<double>(result.rttNs.size()) / secondsSince(start);
  side.tell(static_cast<uint64_t>(result.rttNs.size()));
  std::sort(result.rttNs.begin(), result.rttNs.end());
  return result;
}

void echo(Side& side) {
  ibv_sge list = side.sge();
  ibv_send_wr request = side.request(list);
  request.send_flags = IBV_SEND_SIGNALED;
  // The look at the line to the other process is a system call: not after every poll.
  uint32_t pollsPerLook = side.options().events ? 1 : 1024;
  uint32_t polls = 0;
  uint64_t underWay = 0;  // echoes whose completion is not here
  while (underWay != 0 || ++polls % pollsPerLook != 0 || !side.heard()) {
    uint32_t count = side.options().events ? side.takeCompletions() : side.pollCompletions();
    underWay -= count - side.received();
    for (uint32_t left = side.received(); left != 0; left--) {
      side.post(request);
      side.postReceives(1);
      underWay++;
    }
  }
  side.hear<uint64_t>();
}

}  // namespace

double memcpySpeed(uint32_t sizeBytes, double seconds) {
  if (sizeBytes == 0) return 0;
  std::vector<std::byte> from(sizeBytes, std::byte{1});
  std::vector<std::byte> into(sizeBytes, std::byte{2});
  uint64_t copies = 0;
  Clock::time_point start = Clock::now();
  while (secondsSince(start) < seconds) {
    for (int i = 0; i < 100; i++) {
      std::memcpy(into.data(), from.data(), sizeBytes);
      asm volatile("" : : "r"(into.data()), "r"(from.data()) : "memory");
    }
    copies += 100;
  }
  return static_cast<double>(copies) * sizeBytes / secondsSince(start) / 1e6;
}

Result measure(Side& side) {
  side.meet();
  bool latency = side.options().measure == Measure::Latency;
  Result result = latency ? measureRoundTrips(side) : measureBandwidth(side);
  side.meet();
  if (!latency) {
    double seconds = std::min(0.2, side.options().seconds);
    result.memcpyMegabytesPerSecond = memcpySpeed(side.options().sizeBytes, seconds);
  }
  return result;
}

void serve(Side& side) {
  side.meet();
  if (side.options().operation != Operation::Send) {
    side.hear<uint64_t>();
  } else if (side.options().measure == Measure::Latency) {
    echo(side);
  } else {
    receive(side);
  }
  side.meet();
}

}  // namespace verbena::perf
