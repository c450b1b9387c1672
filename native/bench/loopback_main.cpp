// SPDX-License-Identifier: Apache-2.0
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>

#include "loopback_node.h"

namespace verbena::loopback {
namespace {

/// Between the word to start and the start: everybody has heard it by then.
constexpr std::chrono::milliseconds kLead{100};

void printTrips(const Options& options, const PhaseResult& sum) {
  const char* format =
      options.json ? "{\"pattern\":\"trip\",\"device\":\"%s\",\"nodes\":%u,\"idle_connections\":%u,"
                     "\"trips_per_second\":%.0f,\"p50_ns\":%lu,\"p99_ns\":%lu,"
                     "\"reports_per_second\":%.0f}\n"
                   : "trip  %s  %u nodes  %u idle  %.0f round trips/s  p50 %lu ns  p99 %lu ns  "
                     "%.0f reports/s\n";
  std::printf(format, options.device.c_str(), options.nodes, options.idle,
              static_cast<double>(sum.trips) / sum.seconds, sum.tripP50Ns, sum.tripP99Ns,
              static_cast<double>(sum.reports) / sum.seconds);
}

void print(const Options& options, Pattern pattern, const PhaseResult& sum) {
  if (pattern == Pattern::Trip) return printTrips(options, sum);
  const char* format =
      options.json
          ? "{\"pattern\":\"%s\",\"device\":\"%s\",\"nodes\":%u,\"idle_connections\":%u,"
            "\"sends_per_second\":%.0f,\"bytes_per_send\":%.0f,\"megabytes_per_second\":%.1f,"
            "\"reports_per_second\":%.0f,\"round_ns\":%.0f}\n"
          : "%s  %s  %u nodes  %u idle  %.0f sends/s of %.0f B  %.1f MB/s  %.0f reports/s  "
            "%.0f ns a round\n";
  auto sends = static_cast<double>(sum.sends);
  auto sentBytes = static_cast<double>(sum.sentBytes);
  std::printf(format, name(pattern), options.device.c_str(), options.nodes, options.idle,
              sends / sum.seconds, sends > 0 ? sentBytes / sends : 0,
              static_cast<double>(sum.arrivedBytes) / sum.seconds / 1e6,
              static_cast<double>(sum.reports) / sum.seconds,
              sum.seconds * options.nodes * 1e9 / static_cast<double>(sum.rounds));
}

/// Sums over nodes; the time is the same for all but for a few rounds.
PhaseResult sumOf(const std::vector<std::vector<PhaseResult>>& all, size_t phase) {
  PhaseResult sum{};
  for (const std::vector<PhaseResult>& node : all) {
    const PhaseResult& one = node[phase];
    sum.seconds += one.seconds / static_cast<double>(all.size());
    sum.sends += one.sends;
    sum.sentBytes += one.sentBytes;
    sum.arrivedBytes += one.arrivedBytes;
    sum.reports += one.reports;
    sum.rounds += one.rounds;
    sum.busyRounds += one.busyRounds;
    sum.trips += one.trips;
    sum.tripP50Ns = std::max(sum.tripP50Ns, one.tripP50Ns);
    sum.tripP99Ns = std::max(sum.tripP99Ns, one.tripP99Ns);
  }
  return sum;
}

void lead(const Options& options, const std::vector<int>& lines) {
  std::vector<Address> addresses(lines.size());
  for (size_t i = 0; i < lines.size(); i++) hear(lines[i], &addresses[i], sizeof(Address));
  for (int line : lines) tell(line, addresses.data(), addresses.size() * sizeof(Address));
  char word = 0;
  for (int line : lines) hear(line, &word, 1);
  int64_t start = (std::chrono::steady_clock::now() + kLead).time_since_epoch().count();
  for (int line : lines) tell(line, &start, sizeof start);
  std::vector<std::vector<PhaseResult>> results(lines.size());
  for (size_t i = 0; i < lines.size(); i++) {
    results[i].resize(options.phases.size());
    hear(lines[i], results[i].data(), results[i].size() * sizeof(PhaseResult));
  }
  for (int line : lines) tell(line, "b", 1);
  for (size_t i = 0; i < options.phases.size(); i++) {
    print(options, options.phases[i], sumOf(results, i));
  }
}

int startNode(const Options& options, uint16_t self, const std::vector<int>& others) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) die("no socket pair");
  if (fork() == 0) {
    for (int line : others) close(line);
    close(ends[0]);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::exit(runNode(options, self, ends[1]));
  }
  close(ends[1]);
  return ends[0];
}

int await(size_t nodes) {
  int worst = 0;
  for (size_t i = 0; i < nodes; i++) {
    int status = 0;
    wait(&status);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) worst = 1;
  }
  return worst;
}

}  // namespace
}  // namespace verbena::loopback

int main(int argc, char** argv) {
  using namespace verbena::loopback;
  Options options = parseOptions(argc, argv);
  std::vector<int> lines;
  for (uint16_t node = 0; node < options.nodes; node++) {
    lines.push_back(startNode(options, node, lines));
  }
  lead(options, lines);
  return await(lines.size());
}
