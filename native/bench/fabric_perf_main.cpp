// SPDX-License-Identifier: Apache-2.0
//
// vbn-fabric-perf: one-sided operations between two processes as a program in C has them. The
// target sleeps. Puts are compared with memcpy in pairs, and what goes over softnic's wire between
// hosts with a socket: a round of each in turn.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fabric_perf_side.h"
#include "figure.h"
#include "raw_peer.h"

namespace verbena::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kTrips = 10'000;
constexpr size_t kTripsOverTcp = 1'000;
constexpr size_t kTripsOfARound = 5'000;
constexpr uint32_t kBatch = 32;
constexpr uint64_t kWordBytes = 64;
constexpr uint64_t kStreamBytes = 64 << 10;
constexpr uint64_t kSizes[] = {1 << 10, 16 << 10, kStreamBytes, 256 << 10, 1 << 20};
constexpr std::chrono::milliseconds kTurn{40};

constexpr const char* kUsage =
    "usage: vbn-fabric-perf [DEVICE] [--json] [--puts | --once]\n"
    "  One-sided operations between two processes.\n"
    "  DEVICE   a verbs device, or softnic (default)\n"
    "  --json   a line of JSON for each measurement\n"
    "  --puts   puts one at a time of 64 B and 64 KiB alone, for who measures others in turn\n"
    "  --once   a round of puts of 64 B and of fetch-and-adds one at a time, and puts of 64 KiB,\n"
    "           as many as there is room for; likewise\n";

uint64_t nanoseconds(Clock::duration time) {
  return static_cast<uint64_t>(std::chrono::nanoseconds(time).count());
}

/// The times of so many, sorted.
template <typename Once>
std::vector<double> times(size_t count, Once once) {
  std::vector<double> all;
  all.reserve(count);
  for (size_t i = 0; i < count; i++) {
    auto begin = Clock::now();
    once();
    all.push_back(static_cast<double>(nanoseconds(Clock::now() - begin)));
  }
  std::ranges::sort(all);
  return all;
}

template <typename Once>
double medianTime(size_t count, Once once) {
  return times(count, once)[count / 2];
}

/// Bytes per second of a turn; `some` does at least one and says how many it has done.
template <typename Some, typename Finish>
double bytesPerSecond(uint64_t bytes, Some some, Finish finish) {
  uint64_t count = 0;
  auto begin = Clock::now();
  while (Clock::now() - begin < kTurn) count += some(count);
  count += finish();
  return static_cast<double>(count * bytes) * 1e9 /
         static_cast<double>(nanoseconds(Clock::now() - begin));
}

uint64_t nothing() {
  return 0;
}

class Measurements {
 public:
  Measurements(const DeviceOptions& options, Measured& measured)
      : options_(options), measured_(measured) {}

  void all() {
    latency("put", VBN_PUT, kWordBytes);
    latency("get", VBN_GET, kWordBytes);
    latency("fetch-and-add", VBN_FETCH_ADD, sizeof(uint64_t));
    latency("flush", VBN_FLUSH, 0);
    batches();
    for (uint64_t bytes : kSizes) besideMemcpy(bytes);
  }

  void puts() {
    latency("put", VBN_PUT, kWordBytes);
    Figure figure{"puts one at a time", kStreamBytes, options_.device, "B/s"};
    runRounds(figure, [&] { return puts(kStreamBytes); });
    tell(figure, options_.json);
  }

  void once() {
    for (auto [what, kind] : {std::pair("put", VBN_PUT), {"fetch-and-add", VBN_FETCH_ADD}}) {
      uint64_t bytes = kind == VBN_PUT ? kWordBytes : sizeof(uint64_t);
      vbn_operation one = measured_.operation(kind, bytes);
      auto round = [&] { return medianTime(kTripsOfARound, [&] { measured_.run(one); }); };
      round();
      tell({what + std::string(", p50"), bytes, options_.device, "ns", {round()}}, options_.json);
    }
    Figure puts{"puts", kStreamBytes, options_.device, "B/s"};
    runRounds(puts, [&] { return stream(); });
    tell(puts, options_.json);
  }

  void overTcp(RawPeer& taker, RawPeer& answerer) {
    Figure puts = figure("puts", kStreamBytes, "B/s", "raw socket");
    runPairs(
        puts, [&] { return stream(); }, [&] { return rawStream(taker); });
    tell(puts, options_.json);
    Figure get = figure("get, p50", kWordBytes, "ns", "raw round trip");
    runPairs(
        get,
        [&] {
          return medianTime(kTripsOverTcp,
                            [&] { measured_.run(measured_.operation(VBN_GET, kWordBytes)); });
        },
        [&] {
          return medianTime(kTripsOverTcp, [&] { answerer.trip(measured_.memory(kWordBytes, 0)); });
        });
    tell(get, options_.json);
  }

 private:
  Figure figure(const char* what, uint64_t bytes, const char* unit, const char* beside) const {
    return {what, bytes, "softnic over TCP", unit, {}, beside};
  }

  void latency(const char* what, uint32_t kind, uint64_t bytes) {
    vbn_operation one = measured_.operation(kind, bytes);
    Figure p50{std::string(what) + ", p50", bytes, options_.device, "ns"};
    Figure p99{std::string(what) + ", p99", bytes, options_.device, "ns"};
    runRounds(p50, [&] {
      std::vector<double> sorted = times(kTrips, [&] { measured_.run(one); });
      p99.values.push_back(sorted[kTrips * 99 / 100]);
      return sorted[kTrips / 2];
    });
    p99.values.erase(p99.values.begin(), p99.values.begin() + kWarmUpPairs);
    tell(p50, options_.json);
    tell(p99, options_.json);
  }

  void batches() {
    std::array<vbn_operation, kBatch> batch;
    batch.fill(measured_.operation(VBN_PUT, kWordBytes));
    Figure figure{"puts in batches", kWordBytes, options_.device, "1/s"};
    runRounds(figure, [&] { return posted(batch, kWordBytes) / kWordBytes; });
    tell(figure, options_.json);
  }

  void besideMemcpy(uint64_t bytes) {
    Figure figure{"puts one at a time", bytes, options_.device, "B/s", {}, "memcpy"};
    runPairs(
        figure, [&] { return puts(bytes); }, [&] { return copies(bytes); });
    tell(figure, options_.json);
  }

  double puts(uint64_t bytes) {
    return bytesPerSecond(
        bytes,
        [&](uint64_t i) {
          measured_.run(measured_.at(VBN_PUT, bytes, i));
          return 1;
        },
        nothing);
  }

  /// Between memory of the same kind, which is mapped like the target's.
  double copies(uint64_t bytes) {
    return bytesPerSecond(
        bytes,
        [&](uint64_t i) {
          std::memcpy(measured_.elsewhere(bytes, i).data(), measured_.memory(bytes, i).data(),
                      bytes);
          return 1;
        },
        nothing);
  }

  /// As many under way as there is room for.
  double posted(std::span<const vbn_operation> batch, uint64_t bytes) {
    constexpr int kBatchesOfALook = 64;
    uint64_t underWay = 0;
    auto some = [&](uint64_t) {
      uint64_t done = 0;
      for (int i = 0; i < (bytes < kStreamBytes ? kBatchesOfALook : 1); i++) {
        underWay += measured_.post(batch);
        uint64_t now = measured_.poll();
        underWay -= now;
        done += now;
      }
      return done;
    };
    auto finish = [&] {
      uint64_t left = underWay;
      while (underWay > 0) underWay -= measured_.poll();
      return left;
    };
    return bytesPerSecond(bytes, some, finish);
  }

  double stream() {
    std::array<vbn_operation, kBatch> batch;
    for (uint64_t i = 0; i < batch.size(); i++) batch[i] = measured_.at(VBN_PUT, kStreamBytes, i);
    return posted(batch, kStreamBytes);
  }

  double rawStream(RawPeer& taker) {
    auto one = [&](uint64_t i, bool isLast) {
      taker.send(measured_.memory(kStreamBytes, i % kBatch), isLast);
      return 1;
    };
    return bytesPerSecond(
        kStreamBytes, [&](uint64_t i) { return one(i, false); }, [&] { return one(0, true); });
  }

  const DeviceOptions& options_;
  Measured& measured_;
};

/// All processes are there before there are threads.
void measureAll(const DeviceOptions& options) {
  Target target(options.device, nullptr);
  std::optional<WireOfTcp> tcp;
  std::optional<Target> targetOverTcp;
  std::optional<RawPeer> taker, answerer;
  if (options.device == "softnic") {
    tcp.emplace(kFabricPerf);
    targetOverTcp.emplace(options.device, &*tcp);
    taker.emplace(kFabricPerf, RawPeer::Does::take, kStreamBytes);
    answerer.emplace(kFabricPerf, RawPeer::Does::answer, kWordBytes);
  }
  {
    Measured measured(options.device, target, nullptr);
    Measurements(options, measured).all();
  }
  if (!tcp) return;
  Measured measured(options.device, *targetOverTcp, &*tcp);
  Measurements(options, measured).overTcp(*taker, *answerer);
}

void measureSome(const DeviceOptions& options) {
  Target target(options.device, nullptr);
  Measured measured(options.device, target, nullptr);
  Measurements some(options, measured);
  options.flag == "--once" ? some.once() : some.puts();
}

}  // namespace
}  // namespace verbena::bench

int main(int argc, char** argv) {
  using namespace verbena::bench;
  std::span<char*> words(argv + 1, static_cast<size_t>(argc - 1));
  DeviceOptions options = deviceOptionsOf(words, kFabricPerf, kUsage, {"--puts", "--once"});
  options.flag.empty() ? measureAll(options) : measureSome(options);
  return 0;
}
