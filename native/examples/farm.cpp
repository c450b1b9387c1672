// SPDX-License-Identifier: Apache-2.0
//
// A farm: a master has the primes below a million counted by three workers, each a process of its
// own. Tasks go to the worker that has least to do, counts come back from any of them.
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fifo/channels.h"
#include "fifo/patterns/from_any.h"
#include "fifo/patterns/on_demand.h"
#include "node/node.h"

using namespace verbena;
using namespace std::chrono_literals;
using fifo::Outcome;

namespace {

constexpr uint16_t kWorkers = 3;
constexpr uint64_t kEnd = 1'000'000;
constexpr uint64_t kStep = 5'000;
constexpr uint64_t kPrimes = 78'498;  // below a million
constexpr auto kPatience = 120s;

constexpr connect::NodeId kMaster = 1;
constexpr connect::NodeId nodeOf(uint16_t worker) {
  return kMaster + 1 + worker;
}

struct Range {
  uint64_t begin;
  uint64_t end;
};

template <typename T>
T must(base::Result<T> result) {
  if (result) return std::move(result).value();
  std::fprintf(stderr, "farm: %s\n", result.error().sentence().c_str());
  std::exit(1);
}
void must(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "farm: %s\n", what);
  std::exit(1);
}

/// A node of the cluster, with channels on it.
struct Place {
  explicit Place(connect::NodeId id) {
    node::NodeOptions options;
    options.device.device = "softnic";
    options.manager.self = id;
    options.manager.incarnation = static_cast<uint64_t>(getpid());
    options.manager.listen = "127.0.0.1:0";
    node = must(node::Node::open(options));
    channels = must(fifo::Channels::on(*node, {.owner = {id, options.manager.incarnation}}));
    must(static_cast<bool>(node->start()), "the node does not start");
  }

  std::unique_ptr<fifo::Channels> channels;
  std::unique_ptr<node::Node> node;  // last: it goes first
};

/// Processes tell each other where they listen by a socket; a cluster would have a list of places.
using Address = std::array<char, 64>;

void tellAddress(int socket, Place& place) {
  Address text{};
  place.node->manager().address().copy(text.data(), text.size() - 1);
  must(write(socket, text.data(), text.size()) == std::ssize(text), "the other side has gone");
}

void hearAddress(int socket, Place& place, connect::NodeId peer) {
  Address text{};
  must(recv(socket, text.data(), text.size(), MSG_WAITALL) == std::ssize(text),
       "the other side has gone");
  place.node->manager().addPeer(peer, text.data());
}

// ------------------------------------------------------------------ a worker

uint64_t primesIn(Range range) {
  uint64_t count = 0;
  for (uint64_t number = std::max<uint64_t>(range.begin, 2); number < range.end; number++) {
    uint64_t divisor = 2;
    while (divisor * divisor <= number && number % divisor != 0) divisor++;
    if (divisor * divisor > number) count++;
  }
  return count;
}

void work(uint16_t worker, int socket) {
  Place place(nodeOf(worker));
  auto tasks = must(place.channels->openReader(worker, fifo::kLeastCapacity));
  tellAddress(socket, place);
  hearAddress(socket, place, kMaster);
  auto counts = must(place.channels->openWriter(kMaster, worker, kPatience));

  std::span<const std::byte> task;
  while (tasks->peek(task, kPatience) == Outcome::done) {
    Range range{};
    std::memcpy(&range, task.data(), sizeof range);
    uint64_t count = primesIn(range);
    must(counts->push(std::as_bytes(std::span(&count, 1)), kPatience) == Outcome::done,
         "the master has gone");
    tasks->release();  // behind the result: what is not released is not done
    tasks->tell();
  }
  must(counts->close(kPatience) == Outcome::done, "the master has gone");
}

// ------------------------------------------------------------------ the master

/// One thread gives tasks and takes counts, whichever goes on, so that neither waits for the other.
uint64_t count(fifo::Channels& channels, fifo::OnDemand& tasks, fifo::FromAny& counts) {
  uint64_t primes = 0;
  Range range{0, kStep};
  fifo::Pushing task{std::as_bytes(std::span(&range, 1))};
  bool isClosed = false;
  Outcome got = Outcome::wouldBlock;
  auto goesOn = [&] {
    uint64_t some = 0;
    fifo::Popping result{std::as_writable_bytes(std::span(&some, 1))};
    got = counts.pop(result);
    must(got != Outcome::lost, "a worker has died");
    if (got == Outcome::done) primes += some;
    bool gives = range.begin < kEnd && tasks.push(task) == Outcome::done;
    if (gives) {
      range = {range.end, range.end + kStep};
      task = {task.from};
    }
    if (range.begin == kEnd && !isClosed) isClosed = tasks.close(0ns) == Outcome::done;
    return gives || got != Outcome::wouldBlock;
  };
  while (got != Outcome::ended) {
    bool went = channels.await({tasks.ends(), counts.ends()}, kPatience, goesOn);
    must(went, "the workers take too long");
  }
  return primes;
}

uint64_t master(std::span<const int> sockets) {
  Place place(kMaster);
  std::vector<std::unique_ptr<fifo::Writer>> tasks;
  std::vector<std::unique_ptr<fifo::Reader>> counts;
  for (uint16_t worker = 0; worker < kWorkers; worker++) {
    counts.push_back(must(place.channels->openReader(worker, fifo::kLeastCapacity)));
    hearAddress(sockets[worker], place, nodeOf(worker));
    tellAddress(sockets[worker], place);
    tasks.push_back(must(place.channels->openWriter(nodeOf(worker), worker, kPatience)));
  }
  fifo::OnDemand out(std::move(tasks));
  fifo::FromAny in(std::move(counts));
  return count(*place.channels, out, in);
}

/// The socket of a new process, which works. Before anything is opened here.
int startWorker(uint16_t worker) {
  int ends[2];
  must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "no sockets");
  if (fork() != 0) {
    close(ends[1]);
    return ends[0];
  }
  close(ends[0]);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  work(worker, ends[1]);
  std::exit(0);
}

}  // namespace

int main() {
  std::array<int, kWorkers> sockets{};
  for (uint16_t worker = 0; worker < kWorkers; worker++) sockets[worker] = startWorker(worker);
  uint64_t primes = master(sockets);
  std::printf("%llu primes below %llu\n", static_cast<unsigned long long>(primes),
              static_cast<unsigned long long>(kEnd));
  for (int status = 0; wait(&status) > 0;) must(status == 0, "a worker has failed");
  return primes == kPrimes ? 0 : 1;
}
