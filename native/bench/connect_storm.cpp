// SPDX-License-Identifier: Apache-2.0
#include "connect_storm.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "connect/manager.h"
#include "streams/engine.h"

namespace verbena::bench {
namespace {

using connect::LinkId;
using connect::NodeId;
using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

struct Tally {
  std::atomic<uint64_t> up{0}, down{0}, dialsFailed{0};
};

class Node final : public connect::Observer {
 public:
  Node(NodeId self, std::unique_ptr<StormOwner> made, Tally& tally)
      : id(self), owner(std::move(made)), tally_(tally) {
    connect::ManagerOptions options;
    options.self = id;
    std::random_device random;
    options.incarnation = (uint64_t{random()} << 32 | random()) | 1;
    options.listen = "127.0.0.1:0";
    // A hundred nodes on two cores: one that waits for its turn is not dead.
    options.deadAfter = std::chrono::seconds(20);
    auto secret = std::as_bytes(std::span("a key of the benchmark"));
    options.key.assign(secret.begin(), secret.end());
    auto started = connect::Manager::start(
        options, owner->links(), *this, [this](connect::Manager& begun) { owner->report(begun); });
    if (!started) throw std::runtime_error(started.error().sentence());
    manager = std::move(*started);
  }

  void up(const connect::LinkUp&) override { tally_.up++; }
  void down(LinkId, NodeId, connect::LinkName, const std::string& reason) override {
    if (!ending && tally_.down++ == 0) {
      std::fprintf(stderr, "a connection went down: %s\n", reason.c_str());
    }
  }
  void dialFailed(NodeId, connect::LinkName, connect::Refusal, const std::string& reason) override {
    if (tally_.dialsFailed++ == 0) std::fprintf(stderr, "a dial failed: %s\n", reason.c_str());
  }

  const NodeId id;
  const std::unique_ptr<StormOwner> owner;
  std::atomic<bool> ending{false};

 private:
  Tally& tally_;

 public:
  std::unique_ptr<connect::Manager> manager;  ///< ends before its owner
};

/// What a process has to say of its share.
struct Report {
  double connectSeconds = 0, cpuSeconds = 0;
  double greetSeconds = 0, closeSeconds = 0;
  uint64_t up = 0, down = 0, dialsFailed = 0, packets = 0, repeated = 0;
  uint64_t greeted = 0;
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
      : options_(options), timeout_(options.timeoutSeconds) {
    for (unsigned id = share; id < options.nodes; id += options.processes) {
      auto self = static_cast<NodeId>(id);
      nodes_.push_back(std::make_unique<Node>(self, makeOwner(self), tally_));
    }
    connections_ = nodes_.size() * (options_.nodes - 1U);
  }

  /// Each step begins when every process has done the one before.
  void run(int toParent, int fromParent) {
    for (auto& node : nodes_) {
      Place place{};
      node->manager->address().copy(place.text, sizeof place.text - 1);
      tell(toParent, &place, sizeof place);
    }
    std::vector<Place> places(options_.nodes);
    if (!hear(fromParent, places.data(), places.size() * sizeof(Place))) return;
    Report report;
    connectAll(places, report);
    tell(toParent, "", 1);
    char next;
    if (!hear(fromParent, &next, 1)) return;
    greetAll(report);
    for (auto& node : nodes_) node->ending = true;
    tell(toParent, "", 1);
    if (!hear(fromParent, &next, 1)) return;
    closeAll(report);
    tell(toParent, &report, sizeof report);
  }

 private:
  template <typename Condition>
  void await(Condition condition) const {
    auto end = Clock::now() + timeout_;
    while (!condition() && Clock::now() < end) usleep(1000);
  }

  void connectAll(const std::vector<Place>& places, Report& report) {
    double cpuBefore = cpuSeconds();
    auto begin = Clock::now();
    for (auto& node : nodes_) {
      for (NodeId peer = 0; peer < options_.nodes; peer++) {
        if (peer == node->id) continue;
        node->manager->addPeer(peer, places[peer].text);
        node->manager->dial(peer, streams::kStreams, timeout_);
      }
    }
    await([this] { return tally_.up - tally_.down >= connections_; });
    report.connectSeconds = secondsSince(begin);
    report.cpuSeconds = cpuSeconds() - cpuBefore;
    report.up = tally_.up;
    report.dialsFailed = tally_.dialsFailed;
    for (auto& node : nodes_) {
      report.packets += node->manager->counters().packetsSent;
      report.repeated += node->manager->counters().packetsRepeated;
    }
  }

  void greetAll(Report& report) {
    auto begin = Clock::now();
    for (auto& node : nodes_) {
      for (NodeId peer = 0; peer < options_.nodes; peer++) {
        if (peer == node->id) continue;
        node->owner->greet(node->manager->find(peer, streams::kStreams), peer);
      }
    }
    await([this] { return greeted() == connections_; });
    report.greetSeconds = secondsSince(begin);
    report.greeted = greeted();
    report.down = tally_.down;
  }

  uint64_t greeted() const {
    uint64_t all = 0;
    for (const auto& node : nodes_) all += node->owner->greeted();
    return all;
  }

  void closeAll(Report& report) {
    auto begin = Clock::now();
    std::vector<std::jthread> closing;
    for (auto& node : nodes_) {
      closing.emplace_back([&node] { node->manager.reset(); });
    }
    closing.clear();
    report.closeSeconds = secondsSince(begin);
    nodes_.clear();
  }

  const StormOptions options_;
  const std::chrono::seconds timeout_;
  uint64_t connections_ = 0;
  Tally tally_;
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
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    try {
      Share(options, share, makeOwner).run(up[1], down[0]);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "vbn-connect-storm: %s\n", error.what());
      std::_Exit(1);
    }
    std::_Exit(0);
  }
  ::close(down[0]);
  ::close(up[1]);
  return {pid, down[1], up[0]};
}

Report sumOf(const std::vector<Report>& reports) {
  Report all;
  for (const Report& each : reports) {
    all.connectSeconds = std::max(all.connectSeconds, each.connectSeconds);
    all.greetSeconds = std::max(all.greetSeconds, each.greetSeconds);
    all.closeSeconds = std::max(all.closeSeconds, each.closeSeconds);
    all.cpuSeconds += each.cpuSeconds;
    all.up += each.up;
    all.down += each.down;
    all.dialsFailed += each.dialsFailed;
    all.packets += each.packets;
    all.repeated += each.repeated;
    all.greeted += each.greeted;
  }
  return all;
}

bool print(const StormOptions& options, const Report& all) {
  auto number = [](uint64_t value) { return static_cast<unsigned long long>(value); };
  uint64_t wanted = uint64_t{options.nodes} * (options.nodes - 1U);
  std::printf("%u nodes in %u processes, queue pairs: %s\n", options.nodes, options.processes,
              options.softnic ? "softnic" : "none");
  std::printf("%llu of %llu connection ends up after %.3f s; cpu %.3f s\n",
              number(all.up - all.down), number(wanted), all.connectSeconds, all.cpuSeconds);
  std::printf("packets %llu, repeated %llu; went down %llu; dials failed %llu\n",
              number(all.packets), number(all.repeated), number(all.down), number(all.dialsFailed));
  std::printf("a hello over %llu of them in %.3f s; all closed in %.3f s\n", number(all.greeted),
              all.greetSeconds, all.closeSeconds);
  return all.up - all.down == wanted && all.greeted == wanted;
}

/// Waits until each process has done a step, and lets them begin the next one.
bool next(const std::vector<Child>& children) {
  char done;
  for (const Child& child : children) {
    if (!hear(child.from, &done, 1)) return false;
  }
  for (const Child& child : children) tell(child.to, "", 1);
  return true;
}

bool lead(const StormOptions& options, const std::vector<Child>& children) {
  std::vector<Place> places(options.nodes);
  for (unsigned id = 0; id < options.nodes; id++) {
    // Each process tells its nodes' places in the order of their ids.
    if (!hear(children[id % options.processes].from, &places[id], sizeof(Place))) return false;
  }
  for (const Child& child : children) {
    tell(child.to, places.data(), places.size() * sizeof(Place));
  }
  if (!next(children) || !next(children)) return false;
  std::vector<Report> reports(children.size());
  for (size_t i = 0; i < children.size(); i++) {
    if (!hear(children[i].from, &reports[i], sizeof(Report))) return false;
  }
  return print(options, sumOf(reports));
}

}  // namespace

int connectStorm(const StormOptions& options, const MakeOwner& makeOwner) {
  std::vector<Child> children;
  for (unsigned share = 0; share < options.processes; share++) {
    children.push_back(spawn(options, share, makeOwner));
  }
  bool good = lead(options, children);
  for (const Child& child : children) ::close(child.to);  // those that wait for a next step go
  for (const Child& child : children) {
    int status = 0;
    waitpid(child.pid, &status, 0);
    good = good && status == 0;
  }
  return good ? 0 : 1;
}

}  // namespace verbena::bench
