// SPDX-License-Identifier: Apache-2.0
#include "connect_storm.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "connect/manager.h"

namespace verbena::bench {
namespace {

using connect::ConnectionId;
using connect::NodeId;
using Clock = std::chrono::steady_clock;

struct Tally {
  std::atomic<uint64_t> up{0}, down{0}, dialsFailed{0};
};

class Node final : public connect::Observer {
 public:
  Node(NodeId id, std::unique_ptr<StormOwner> owner, Tally& tally)
      : owner_(std::move(owner)), tally_(tally) {
    connect::ManagerOptions options;
    options.self = id;
    std::random_device random;
    options.incarnation = (uint64_t{random()} << 32 | random()) | 1;
    options.listen = "127.0.0.1:0";
    auto secret = std::as_bytes(std::span("a key of the benchmark"));
    options.key.assign(secret.begin(), secret.end());
    auto started = connect::Manager::start(
        options, *owner_, *this, [this](connect::Manager& made) { owner_->report(made); });
    if (!started) throw std::runtime_error(started.error().sentence());
    manager = std::move(*started);
  }

  void up(ConnectionId, NodeId, uint64_t, bool, const std::string&) override { tally_.up++; }
  void down(ConnectionId, NodeId, const std::string&) override { tally_.down++; }
  void dialFailed(NodeId, connect::Refusal, const std::string& reason) override {
    if (tally_.dialsFailed++ == 0) std::fprintf(stderr, "a dial failed: %s\n", reason.c_str());
  }

 private:
  std::unique_ptr<StormOwner> owner_;
  Tally& tally_;

 public:
  std::unique_ptr<connect::Manager> manager;  ///< ends before its owner
};

/// What a process has to say when its share is done.
struct Report {
  double seconds = 0;
  double cpuSeconds = 0;
  uint64_t up = 0, down = 0, dialsFailed = 0, packets = 0, repeated = 0;
};

void tell(int fd, const void* bytes, size_t count) {
  if (write(fd, bytes, count) != static_cast<ssize_t>(count)) std::_Exit(1);
}

bool hear(int fd, void* into, size_t count) {
  auto* at = static_cast<char*>(into);
  while (count > 0) {
    ssize_t got = read(fd, at, count);
    if (got <= 0) return false;
    at += got;
    count -= static_cast<size_t>(got);
  }
  return true;
}

double cpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  auto seconds = [](timeval time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Place {
  char text[64];
};

/// Runs in a process of its own: the nodes whose id leaves `share` when divided by the processes.
class Share {
 public:
  Share(const StormOptions& options, unsigned share, const MakeOwner& makeOwner)
      : options_(options) {
    for (unsigned id = share; id < options.nodes; id += options.processes) {
      auto self = static_cast<NodeId>(id);
      nodes_.push_back(std::make_unique<Node>(self, makeOwner(self), tally_));
      ids_.push_back(self);
    }
  }

  void run(int toParent, int fromParent) {
    for (auto& node : nodes_) {
      Place place{};
      node->manager->address().copy(place.text, sizeof place.text - 1);
      tell(toParent, &place, sizeof place);
    }
    std::vector<Place> places(options_.nodes);
    if (!hear(fromParent, places.data(), places.size() * sizeof(Place))) return;
    Report report = connectAll(places);
    tell(toParent, &report, sizeof report);
    char end;
    static_cast<void>(hear(fromParent, &end, 1));  // the others may still connect to us
  }

 private:
  Report connectAll(const std::vector<Place>& places) {
    double cpuBefore = cpuSeconds();
    auto begin = Clock::now();
    std::chrono::seconds timeout(options_.timeoutSeconds);
    for (size_t i = 0; i < nodes_.size(); i++) {
      for (NodeId peer = 0; peer < options_.nodes; peer++) {
        if (peer == ids_[i]) continue;
        nodes_[i]->manager->addPeer(peer, places[peer].text);
        nodes_[i]->manager->dial(peer, timeout);
      }
    }
    uint64_t wanted = nodes_.size() * (options_.nodes - 1U);
    while (tally_.up - tally_.down < wanted && Clock::now() - begin < timeout) usleep(1000);
    Report report;
    report.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    report.cpuSeconds = cpuSeconds() - cpuBefore;
    report.up = tally_.up;
    report.down = tally_.down;
    report.dialsFailed = tally_.dialsFailed;
    for (auto& node : nodes_) {
      report.packets += node->manager->counters().packetsSent;
      report.repeated += node->manager->counters().packetsRepeated;
    }
    return report;
  }

  const StormOptions options_;
  Tally tally_;
  std::vector<NodeId> ids_;
  std::vector<std::unique_ptr<Node>> nodes_;
};

struct Child {
  pid_t pid;
  int to, from;
};

Child spawn(const StormOptions& options, unsigned share, const MakeOwner& makeOwner) {
  int down[2], up[2];
  if (pipe(down) != 0 || pipe(up) != 0) throw std::runtime_error("cannot open a pipe");
  pid_t pid = fork();
  if (pid == 0) {
    ::close(down[1]);
    ::close(up[0]);
    Share(options, share, makeOwner).run(up[1], down[0]);
    std::_Exit(0);
  }
  ::close(down[0]);
  ::close(up[1]);
  return {pid, down[1], up[0]};
}

int print(const StormOptions& options, const std::vector<Report>& reports) {
  Report all;
  for (const Report& each : reports) {
    all.seconds = std::max(all.seconds, each.seconds);
    all.cpuSeconds += each.cpuSeconds;
    all.up += each.up;
    all.down += each.down;
    all.dialsFailed += each.dialsFailed;
    all.packets += each.packets;
    all.repeated += each.repeated;
  }
  uint64_t wanted = uint64_t{options.nodes} * (options.nodes - 1U);
  bool complete = all.up - all.down == wanted;
  std::printf("%u nodes in %u processes: %llu of %llu connection ends up after %.3f s\n",
              options.nodes, options.processes, static_cast<unsigned long long>(all.up - all.down),
              static_cast<unsigned long long>(wanted), all.seconds);
  std::printf("cpu %.3f s; packets %llu, repeated %llu; went down %llu; dials failed %llu\n",
              all.cpuSeconds, static_cast<unsigned long long>(all.packets),
              static_cast<unsigned long long>(all.repeated),
              static_cast<unsigned long long>(all.down),
              static_cast<unsigned long long>(all.dialsFailed));
  return complete ? 0 : 1;
}

}  // namespace

int connectStorm(const StormOptions& options, const MakeOwner& makeOwner) {
  std::vector<Child> children;
  for (unsigned share = 0; share < options.processes; share++) {
    children.push_back(spawn(options, share, makeOwner));
  }
  std::vector<Place> places(options.nodes);
  for (unsigned id = 0; id < options.nodes; id++) {
    // Each process tells its nodes' places in the order of their ids.
    if (!hear(children[id % options.processes].from, &places[id], sizeof(Place))) return 1;
  }
  for (const Child& child : children) {
    tell(child.to, places.data(), places.size() * sizeof(Place));
  }
  std::vector<Report> reports(children.size());
  for (size_t i = 0; i < children.size(); i++) {
    if (!hear(children[i].from, &reports[i], sizeof(Report))) return 1;
  }
  for (const Child& child : children) tell(child.to, "", 1);
  for (const Child& child : children) waitpid(child.pid, nullptr, 0);
  return print(options, reports);
}

}  // namespace verbena::bench
