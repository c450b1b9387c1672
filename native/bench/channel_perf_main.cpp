// SPDX-License-Identifier: Apache-2.0
//
// vbn-channel-perf: channels between two processes. Where both ends share memory each round of a
// channel has one of a bare ring, or of bare words, beside it: one of each in turn.
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "channel_perf_bare.h"
#include "device_options.h"
#include "far_host.h"
#include "fifo/channels.h"
#include "fifo/reader.h"
#include "fifo/writer.h"
#include "figure.h"
#include "node/node.h"
#include "raw_peer.h"
#include "wire_of_tcp.h"

namespace verbena::bench {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using fifo::Outcome;

constexpr uint16_t kNumber = 1;
constexpr uint64_t kTripBytes = 10;
constexpr uint64_t kTrips = 100'000;
constexpr uint64_t kRoundBytes = 512 << 20;
constexpr uint64_t kMostMessages = 1 << 21;  // times any size they end where a ring does
constexpr uint64_t kLess = 16;               // so much less is done by the device, and in short
constexpr auto kPatience = 30s;
constexpr std::string_view kShort = "--short";
constexpr std::string_view kOnce = "--once";
constexpr std::string_view kHosts = "--hosts";
constexpr uint64_t kLargeBytes = 64 << 10;

constexpr const char* kUsage =
    "usage: vbn-channel-perf [DEVICE] [--json] [--short | --once | --hosts]\n"
    "  Channels between two processes; of softnic also over TCP, where the bytes of messages are\n"
    "  neither written nor looked at, beside a raw socket.\n"
    "  DEVICE   a verbs device, or softnic (default)\n"
    "  --json   a line of JSON for each measurement\n"
    "  --short  rounds of a sixteenth, but over TCP\n"
    "  --once   10 B there and back, and 64 KiB one way, by the device alone, in such rounds; the\n"
    "           messages' bytes are neither written nor looked at\n"
    "  --hosts  only what softnic does over TCP, between two network namespaces; takes root and\n"
    "           iproute2\n";

[[noreturn]] void die(const std::string& what) {
  bench::die("vbn-channel-perf", what);
}

template <typename T>
T must(base::Result<T> result) {
  if (!result) die(result.error().sentence());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

struct Place {
  char address[64];
  std::atomic<uint32_t> isSaid;
};

/// What the two processes have beside channels, from before they part.
struct Common {
  std::array<Place, 2> places;
  alignas(64) std::atomic<uint64_t> roundsRead;
  std::atomic<uint64_t> rawRounds;
  BareWords words;
  BareRing ring;
};

/// One process's ends, by one way.
class Ends {
 public:
  /// @param tcp null where the device does not need it
  Ends(const DeviceOptions& options, Common& common, uint16_t id, bool share, const WireOfTcp* tcp)
      : touches_(options.flag != kOnce && tcp == nullptr) {
    node::NodeOptions wanted;
    wanted.device.device = options.device;
    if (tcp != nullptr) {
      if (id == 1) setenv("VERBENA_SOFTNIC_DIR", tcp->folder.c_str(), 1);
      wanted.device.listen = id == 1 ? tcp->far : tcp->near;
      auto key = std::as_bytes(std::span(tcp->key));
      wanted.manager.key.assign(key.begin(), key.end());
    }
    wanted.manager.self = id;
    wanted.manager.incarnation = static_cast<uint64_t>(getpid());
    wanted.manager.listen = std::string(tcp == nullptr ? "127.0.0.1" : wanted.device.listen) + ":0";
    node_ = must(node::Node::open(wanted));
    channels_ = must(fifo::Channels::on(
        *node_, {.owner = {id, wanted.manager.incarnation}, .channels = 2, .share = share}));
    must(node_->start());
    uint16_t other = id == 1 ? 2 : 1;
    reader_ = must(channels_->openReader(kNumber, BareRing::kCapacity));
    meet(common, id, other);
    writer_ = must(channels_->openWriter(other, kNumber, kPatience));
  }

  fifo::Channels& channels() { return *channels_; }
  fifo::Writer& writer() { return *writer_; }

  void send(uint64_t bytes, uint64_t number) {
    std::byte* at = nullptr;
    Outcome claimed = Outcome::wouldBlock;
    while (claimed == Outcome::wouldBlock) claimed = writer_->claim(bytes, at);
    if (claimed != Outcome::done) die("the reader is lost: " + writer_->lostBecause());
    if (touches_) fill({at, bytes}, number);
    writer_->publish(bytes);
  }
  void receive(uint64_t bytes, uint64_t number) {
    std::span<const std::byte> message;
    Outcome got = Outcome::wouldBlock;
    while (got == Outcome::wouldBlock) got = reader_->peek(message);
    if (got != Outcome::done) die("the writer is lost: " + reader_->lostBecause());
    if (message.size() != bytes) die("a message has another length");
    if (touches_) check(message, number);
    reader_->release();
  }
  /// Until the far side has it all.
  void finish() {
    if (writer_->flush(kPatience) != Outcome::done) die("flush: " + writer_->lostBecause());
  }

 private:
  /// Each says where it is, and reads where the other one is.
  void meet(Common& common, uint16_t id, uint16_t other) {
    Place& own = common.places[id - 1];
    Place& far = common.places[other - 1];
    std::snprintf(own.address, sizeof own.address, "%s", node_->manager().address().c_str());
    own.isSaid.store(1);
    while (far.isSaid.load() == 0) usleep(1'000);
    node_->manager().addPeer(other, far.address);
    far.isSaid.store(0);
  }

  const bool touches_;
  std::unique_ptr<fifo::Channels> channels_;
  std::unique_ptr<node::Node> node_;
  std::unique_ptr<fifo::Reader> reader_;
  std::unique_ptr<fifo::Writer> writer_;
};

/// A round is the same on both sides: one of them sends first.
class Side {
 public:
  Side(Common& common, Ends& ends, bool sends) : common_(common), ends_(ends), sends_(sends) {}

  double bareOneWay(uint64_t bytes, uint64_t messages) {
    return oneWay(
        messages, [&](uint64_t i) { common_.ring.send(bytes, i); },
        [&](uint64_t i) { common_.ring.receive(bytes, i); });
  }
  double channelOneWay(uint64_t bytes, uint64_t messages) {
    return oneWay(
        messages, [&](uint64_t i) { ends_.send(bytes, i); },
        [&](uint64_t i) { ends_.receive(bytes, i); });
  }
  double bareTrips(uint64_t trips) {
    return timed([&] {
      for (uint64_t i = 0; i < trips; i++) common_.words.trip(sends_);
    });
  }
  double channelTrips(uint64_t trips) {
    return timed([&] {
      for (uint64_t i = 0; i < trips; i++) {
        if (sends_) ends_.send(kTripBytes, i);
        ends_.receive(kTripBytes, i);
        if (!sends_) ends_.send(kTripBytes, i);
      }
    });
  }

 private:
  template <typename Round>
  static double timed(Round round) {
    auto begin = Clock::now();
    round();
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  template <typename Send, typename Receive>
  double oneWay(uint64_t messages, Send send, Receive receive) {
    rounds_++;
    return timed([&] {
      for (uint64_t i = 0; i < messages; i++) sends_ ? send(i) : receive(i);
      if (!sends_) return common_.roundsRead.store(rounds_, std::memory_order_release);
      while (common_.roundsRead.load(std::memory_order_acquire) != rounds_) {
        ends_.channels().drive();
      }
    });
  }

  Common& common_;
  Ends& ends_;
  const bool sends_;
  uint64_t rounds_ = 0;
};

/// Runs the same measurements on both sides; one of them tells of them.
class Measurements {
 public:
  Measurements(const DeviceOptions& options, Common& common, bool tells, const WireOfTcp* tcp)
      : options_(options), common_(common), tells_(tells), tcp_(tcp) {}

  void all() {
    if (options_.flag != kOnce) by(true);
    by(false);
  }

  /// Both sides' rounds of the channel, and between them those of the socket, which one side has.
  void overTcp(RawPeer* taker) {
    Ends ends(options_, common_, tells_ ? 2 : 1, false, tcp_);
    Side side(common_, ends, tells_);
    common_.roundsRead.store(0);
    waitForEachOther();
    constexpr uint64_t kMessages = kRoundBytes / 2 / kLargeBytes;
    auto rate = [](double seconds) { return static_cast<double>(kMessages) / seconds; };
    auto raw = [&, message = std::vector<std::byte>(kLargeBytes)]() mutable {
      if (taker == nullptr) return sleepThroughARawRound();
      auto begin = Clock::now();
      for (uint64_t i = 0; i < kMessages; i++) taker->send(message, i + 1 == kMessages);
      double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
      common_.rawRounds.fetch_add(1, std::memory_order_release);
      return rate(seconds);
    };
    measure(
        {"one way", kLargeBytes, "softnic over TCP", "1/s", {}, "raw socket"},
        [&] { return rate(side.channelOneWay(kLargeBytes, kMessages)); }, raw);
    waitForEachOther();
  }

 private:
  void by(bool share) {
    Ends ends(options_, common_, tells_ ? 2 : 1, share, nullptr);
    Side side(common_, ends, tells_);
    common_.roundsRead.store(0);
    if (tells_ && ends.writer().isShared() != share) die("the ends do not share memory");
    waitForEachOther();
    if (options_.flag != kOnce) oneWay(side, share, 64);
    oneWay(side, share, kLargeBytes);
    trips(side, share);
    waitForEachOther();
  }

  /// The processors are the socket's.
  double sleepThroughARawRound() {
    rawRounds_++;
    while (common_.rawRounds.load(std::memory_order_acquire) < rawRounds_) usleep(200);
    return 0;
  }

  void waitForEachOther() { common_.words.trip(tells_); }

  void oneWay(Side& side, bool share, uint64_t bytes) {
    uint64_t messages = count(std::min(kMostMessages, kRoundBytes / bytes), share);
    auto rate = [&](double seconds) { return static_cast<double>(messages) / seconds; };
    measure(
        {"one way", bytes, way(share), "1/s", {}, share ? "bare ring" : nullptr},
        [&] { return rate(side.channelOneWay(bytes, messages)); },
        [&] { return rate(side.bareOneWay(bytes, messages)); });
  }

  void trips(Side& side, bool share) {
    uint64_t messages = count(kTrips, share);
    auto each = [&](double seconds) { return seconds * 1e9 / static_cast<double>(messages); };
    measure(
        {"round trip", kTripBytes, way(share), "ns", {}, share ? "bare words" : nullptr},
        [&] { return each(side.channelTrips(messages)); },
        [&] { return each(side.bareTrips(messages)); });
  }

  uint64_t count(uint64_t whole, bool share) const {
    return whole / (share ? 1 : kLess) / (options_.flag.empty() ? 1 : kLess);
  }

  std::string way(bool share) const { return share ? "shared memory" : options_.device; }

  template <typename Channel, typename Bare>
  void measure(Figure figure, Channel channel, Bare bare) {
    if (figure.beside != nullptr) {
      runPairs(figure, channel, bare);
    } else {
      runRounds(figure, channel);
    }
    if (tells_) tell(figure, options_.json);
  }

  const DeviceOptions& options_;
  Common& common_;
  const bool tells_;
  uint64_t rawRounds_ = 0;
  const WireOfTcp* const tcp_;
};

Common& makeCommon() {
  void* memory =
      mmap(nullptr, sizeof(Common), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) die(std::string("no shared memory: ") + std::strerror(errno));
  return *new (memory) Common{};
}

}  // namespace
}  // namespace verbena::bench

int main(int argc, char** argv) {
  using namespace verbena::bench;
  std::span<char*> words(argv + 1, static_cast<size_t>(argc - 1));
  DeviceOptions options =
      deviceOptionsOf(words, "vbn-channel-perf", kUsage, {kShort, kOnce, kHosts});
  Common& common = makeCommon();
  std::optional<WireOfTcp> tcp;
  std::optional<FarHost> far;
  std::optional<RawPeer> taker;  // which is a process, and so before there are threads
  if (options.device != "softnic" && options.flag == kHosts) {
    die("--hosts is for softnic alone, and the device is " + options.device);
  }
  if (options.device == "softnic" && options.flag != kOnce) {
    tcp.emplace("vbn-channel-perf");
    if (options.flag == kHosts) {
      far.emplace("vbn-channel-perf");
      tcp->near = FarHost::kNear;
      tcp->far = FarHost::kFar;
    }
    taker.emplace("vbn-channel-perf", RawPeer::Does::take, kLargeBytes, far ? &*far : nullptr);
  }
  auto measureAll = [&](bool tells) {
    Measurements measurements(options, common, tells, tcp ? &*tcp : nullptr);
    if (!far) measurements.all();
    if (tcp) measurements.overTcp(tells ? &*taker : nullptr);
  };
  pid_t parent = getpid();
  pid_t other = fork();
  if (other < 0) die(std::string("cannot start the other process: ") + std::strerror(errno));
  if (other == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) return 1;
    if (far) far->enter();
    measureAll(false);
    std::fflush(stdout);
    _exit(0);  // what both have is the parent's
  }
  measureAll(true);
  int status = 0;
  waitpid(other, &status, 0);
  return status == 0 ? 0 : 1;
}
