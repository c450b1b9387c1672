// SPDX-License-Identifier: Apache-2.0
//
// vbn-fabric-perf: one-sided operations between two processes as a program in C has them. The
// target sleeps. Large puts are compared with memcpy in pairs: one of each in turn.
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "help.h"
#include "verbena/fabric.h"

namespace verbena::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint64_t kBytes = 16 << 20;
constexpr uint64_t kPatienceNs = 30'000'000'000;
constexpr size_t kTrips = 20'000;
constexpr size_t kWarmUp = 5'000;
constexpr uint32_t kBatch = 32;
constexpr int kPairs = 15;
constexpr std::chrono::milliseconds kTurn{40};

constexpr const char* kUsage =
    "vbn-fabric-perf [DEVICE] [--device-only] [--json]\n"
    "one-sided operations between two processes\n"
    "  DEVICE         a verbs device, or softnic (default)\n"
    "  --device-only  nothing goes by memory that both processes map\n"
    "  --json         a line of JSON for each measurement\n";

[[noreturn]] void die(const std::string& what) {
  std::fprintf(stderr, "vbn-fabric-perf: %s\n", what.c_str());
  std::exit(1);
}

void must(vbn_status status) {
  if (status != VBN_OK) die(vbn_error());
}

struct Options {
  std::string device = "softnic";
  bool deviceOnly = false;
  bool json = false;
};

/// What the target tells the measuring process.
struct Introduction {
  char address[64];
  uint8_t key[VBN_KEY_BYTES];
};

struct Side {
  Side(const Options& options, uint32_t id) {
    vbn_wishes wishes{sizeof wishes, 0, options.device.c_str(), -1, 0, -1, -1, 0, 0, nullptr};
    vbn_fabric_options given{};
    given.struct_bytes = sizeof given;
    given.node_id = id;
    given.listen = "127.0.0.1:0";
    given.device = &wishes;
    given.device_only = options.deviceOnly ? 1 : 0;
    must(vbn_fabric_open(&given, &node));
    must(vbn_region_allocate(node, kBytes, &region));
  }
  ~Side() {
    vbn_fabric_close(node);
    vbn_region_free(region);
  }
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;

  vbn_fabric* node = nullptr;
  vbn_region* region = nullptr;
};

int serve(const Options& options, int line, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) return 1;
  Side side(options, 1);
  Introduction own{};
  std::snprintf(own.address, sizeof own.address, "%s", vbn_fabric_address(side.node));
  must(vbn_region_share(side.region, 0, kBytes, VBN_REMOTE_GET | VBN_REMOTE_PUT | VBN_REMOTE_ATOMIC,
                        own.key));
  if (write(line, &own, sizeof own) != sizeof own) return 1;
  for (;;) {  // until the parent ends
    vbn_done none;
    vbn_fabric_arm(side.node);
    vbn_fabric_poll(side.node, &none, 1);
    vbn_fabric_wait(side.node, 1'000'000'000);
  }
}

class Measured {
 public:
  Measured(const Options& options, const Introduction& far) : options_(options), side_(options, 2) {
    must(vbn_remote_open(far.key, sizeof far.key, &remote_));
    must(vbn_fabric_add_peer(side_.node, 1, far.address));
    must(vbn_fabric_link(side_.node, 1, kPatienceNs, &link_));
    std::memset(vbn_region_memory(side_.region), 1, kBytes);
  }
  ~Measured() { vbn_remote_free(remote_); }
  Measured(const Measured&) = delete;
  Measured& operator=(const Measured&) = delete;

  void latency(const char* name, uint32_t kind, uint64_t bytes) {
    vbn_operation one = operation(kind, bytes);
    std::vector<uint64_t> times;
    times.reserve(kTrips);
    for (size_t i = 0; i < kWarmUp + kTrips; i++) {
      auto begin = Clock::now();
      run(one);
      if (i >= kWarmUp) times.push_back(nanoseconds(Clock::now() - begin));
    }
    std::ranges::sort(times);
    auto at = [&](double part) {
      return static_cast<unsigned long long>(
          times[static_cast<size_t>(part * static_cast<double>(times.size() - 1))]);
    };
    std::printf(options_.json ? "{\"operation\":\"%s\",\"size_bytes\":%llu,\"device\":\"%s\","
                                "\"p50_ns\":%llu,\"p99_ns\":%llu}\n"
                              : "%-14s %8llu B  %s  p50 %llu ns  p99 %llu ns\n",
                name, static_cast<unsigned long long>(bytes), options_.device.c_str(), at(0.5),
                at(0.99));
  }

  void rate(uint64_t bytes) {
    std::array<vbn_operation, kBatch> batch;
    batch.fill(operation(VBN_PUT, bytes));
    uint64_t done = 0;
    pass(batch, std::chrono::seconds(1));  // warm
    auto begin = Clock::now();
    done = pass(batch, std::chrono::seconds(2));
    double perSecond =
        static_cast<double>(done) * 1e9 / static_cast<double>(nanoseconds(Clock::now() - begin));
    std::printf(options_.json ? "{\"operation\":\"puts in batches\",\"size_bytes\":%llu,"
                                "\"device\":\"%s\",\"per_second\":%.0f}\n"
                              : "puts in batches %6llu B  %s  %.0f/s\n",
                static_cast<unsigned long long>(bytes), options_.device.c_str(), perSecond);
  }

  /// The median of the ratios, and the least and the greatest.
  void besideMemcpy(uint64_t bytes) {
    std::vector<double> ratios, rates;
    std::vector<char> elsewhere(kBytes, 1);
    for (int pair = 0; pair < kPairs; pair++) {
      double put = perSecond([&](uint64_t i) { run(at(bytes, i)); });
      double copy = perSecond([&](uint64_t i) {
        uint64_t offset = offsetOf(bytes, i);
        std::memcpy(elsewhere.data() + offset,
                    static_cast<char*>(vbn_region_memory(side_.region)) + offset, bytes);
      });
      ratios.push_back(put / copy);
      rates.push_back(put * static_cast<double>(bytes) / 1e9);
    }
    std::ranges::sort(ratios);
    std::ranges::sort(rates);
    std::printf(options_.json
                    ? "{\"operation\":\"put\",\"size_bytes\":%llu,\"device\":\"%s\","
                      "\"gigabytes_per_second\":%.2f,\"beside_memcpy\":{\"median\":%.3f,"
                      "\"least\":%.3f,\"greatest\":%.3f}}\n"
                    : "put            %8llu B  %s  %.2f GB/s  memcpy x %.2f (%.2f to %.2f)\n",
                static_cast<unsigned long long>(bytes), options_.device.c_str(),
                rates[rates.size() / 2], ratios[ratios.size() / 2], ratios.front(), ratios.back());
  }

 private:
  static uint64_t nanoseconds(Clock::duration time) {
    return static_cast<uint64_t>(std::chrono::nanoseconds(time).count());
  }
  static uint64_t offsetOf(uint64_t bytes, uint64_t i) { return i % (kBytes / bytes) * bytes; }

  vbn_operation operation(uint32_t kind, uint64_t bytes) const {
    vbn_operation made{};
    made.kind = kind;
    made.local = side_.region;
    made.remote = remote_;
    made.length = bytes;
    return made;
  }
  vbn_operation at(uint64_t bytes, uint64_t i) const {
    vbn_operation made = operation(VBN_PUT, bytes);
    made.local_offset = made.offset = offsetOf(bytes, i);
    return made;
  }

  void run(const vbn_operation& one) {
    uint32_t posted = 0;
    must(vbn_fabric_post(side_.node, link_, &one, 1, &posted));
    vbn_done done{};
    while (vbn_fabric_poll(side_.node, &done, 1) == 0) continue;
    check(done);
  }

  static void check(const vbn_done& done) {
    if (done.outcome == VBN_OUTCOME_DONE) return;
    char text[256];
    vbn_done_sentence(&done, text, sizeof text);
    die(text);
  }

  uint64_t pass(std::span<const vbn_operation> batch, std::chrono::seconds time) {
    std::array<vbn_done, 2 * kBatch> done;
    uint64_t posted = 0, told = 0;
    auto poll = [&] {
      uint32_t count = vbn_fabric_poll(side_.node, done.data(), done.size());
      for (uint32_t i = 0; i < count; i++) check(done[i]);
      told += count;
    };
    for (auto end = Clock::now() + time; Clock::now() < end;) {
      for (int i = 0; i < 64; i++) {
        uint32_t taken = 0;
        must(vbn_fabric_post(side_.node, link_, batch.data(), static_cast<uint32_t>(batch.size()),
                             &taken));
        posted += taken;
        poll();
      }
    }
    while (told < posted) poll();
    return told;
  }

  template <typename Once>
  static double perSecond(Once once) {
    uint64_t count = 0;
    auto begin = Clock::now();
    while (Clock::now() - begin < kTurn) once(count++);
    return static_cast<double>(count) * 1e9 /
           static_cast<double>(nanoseconds(Clock::now() - begin));
  }

  const Options& options_;
  Side side_;
  vbn_remote* remote_ = nullptr;
  uint64_t link_ = 0;
};

void measure(const Options& options, int line) {
  Introduction far{};
  if (read(line, &far, sizeof far) != sizeof far) die("the other process ended too early");
  Measured measured(options, far);
  measured.latency("put", VBN_PUT, 64);
  measured.latency("get", VBN_GET, 64);
  measured.latency("fetch-and-add", VBN_FETCH_ADD, 8);
  measured.latency("flush", VBN_FLUSH, 0);
  measured.rate(64);
  measured.besideMemcpy(65'536);
  measured.besideMemcpy(1 << 20);
}

Options optionsOf(std::span<char*> words) {
  answerHelp(words, kUsage);
  Options options;
  for (std::string_view word : words) {
    if (word == "--json") {
      options.json = true;
    } else if (word == "--device-only") {
      options.deviceOnly = true;
    } else if (word.starts_with("-")) {
      die("there is no option " + std::string(word) + "; see --help");
    } else {
      options.device = word;
    }
  }
  return options;
}

}  // namespace
}  // namespace verbena::bench

int main(int argc, char** argv) {
  using namespace verbena::bench;
  Options options = optionsOf(std::span(argv + 1, static_cast<size_t>(argc - 1)));
  int line[2];
  if (pipe(line) != 0) die("no pipe");
  pid_t parent = getpid();
  pid_t server = fork();
  if (server < 0) die(std::string("cannot start the other process: ") + std::strerror(errno));
  if (server == 0) return serve(options, line[1], parent);
  close(line[1]);
  measure(options, line[0]);
  kill(server, SIGKILL);
  waitpid(server, nullptr, 0);
  return 0;
}
