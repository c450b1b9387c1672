// SPDX-License-Identifier: Apache-2.0
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "perf_options.h"
#include "perf_side.h"
#include "perf_workloads.h"

namespace verbena::perf {
namespace {

uint64_t percentile(const std::vector<uint64_t>& sorted, double part) {
  if (sorted.empty()) return 0;
  return sorted[static_cast<size_t>(part * static_cast<double>(sorted.size() - 1))];
}

void printLatency(const Options& options, const Result& r) {
  const char* format =
      options.json
          ? "{\"operation\":\"%s\",\"device\":\"%s\",\"size_bytes\":%u,\"rtt_ns\":{\"p50\":%llu,"
            "\"p95\":%llu,\"p99\":%llu,\"max\":%llu}}\n"
          : "%s lat  %s  %u B  p50 %llu ns  p95 %llu ns  p99 %llu ns  max %llu ns\n";
  auto at = [&](double part) { return static_cast<unsigned long long>(percentile(r.rttNs, part)); };
  std::printf(format, name(options.operation), options.device.c_str(), options.sizeBytes, at(0.5),
              at(0.95), at(0.99), at(1));
}

void printBandwidth(const Options& options, const Result& r) {
  const char* format =
      options.json
          ? "{\"operation\":\"%s\",\"device\":\"%s\",\"size_bytes\":%u,\"post_list\":%u,"
            "\"messages_per_second\":%.0f,\"megabytes_per_second\":%.1f,"
            "\"memcpy_megabytes_per_second\":%.1f}\n"
          : "%s bw  %s  %u B  post-list %u  %.0f messages/s  %.1f MB/s  (memcpy %.1f MB/s)\n";
  std::printf(format, name(options.operation), options.device.c_str(), options.sizeBytes,
              options.postList, r.perSecond, r.megabytesPerSecond, r.memcpyMegabytesPerSecond);
}

void runMeasurements(const Options& options, int line) {
  Side side(options, line);
  std::vector<Result> results;
  for (uint32_t i = 0; i < options.repeat; i++) results.push_back(measure(side));
  auto rate = [](const Result& a, const Result& b) { return a.perSecond < b.perSecond; };
  std::sort(results.begin(), results.end(), rate);
  const Result& median = results[results.size() / 2];
  if (options.measure == Measure::Latency) {
    printLatency(options, median);
  } else {
    printBandwidth(options, median);
  }
}

/// Ends with its parent, also where that ended before this could be asked for.
int runServer(const Options& options, int line, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) return 1;
  try {
    Side side(options, line);
    for (uint32_t i = 0; i < options.repeat; i++) serve(side);
  } catch (const PeerGone&) {
    die("the measuring process has gone");
  }
  return 0;
}

/// Waits for its end; "" if it did what it should.
std::string failureOf(pid_t server) {
  int status = 0;
  if (waitpid(server, &status, 0) != server) return "the other process cannot be waited for";
  if (WIFSIGNALED(status)) {
    int signal = WTERMSIG(status);
    return "the other process was ended by signal " + std::to_string(signal) + " (" +
           strsignal(signal) + ")";
  }
  int code = WEXITSTATUS(status);
  return code == 0 ? "" : "the other process failed with status " + std::to_string(code);
}

int runClient(const Options& options, int line, pid_t server) {
  bool gone = false;
  try {
    runMeasurements(options, line);
  } catch (const PeerGone&) {
    gone = true;
  }
  std::string failure = failureOf(server);
  if (gone && failure.empty()) failure = "the other process ended too early";
  if (!failure.empty()) die(failure);
  return 0;
}

}  // namespace
}  // namespace verbena::perf

int main(int argc, char** argv) {
  using namespace verbena::perf;
  Options options = parseOptions(argc, argv);
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) die("no socket pair");
  pid_t parent = getpid();
  pid_t server = fork();
  if (server < 0) die(std::string("cannot start the other process: ") + std::strerror(errno));
  if (server == 0) {
    close(ends[0]);
    return runServer(options, ends[1], parent);
  }
  close(ends[1]);
  return runClient(options, ends[0], server);
}
