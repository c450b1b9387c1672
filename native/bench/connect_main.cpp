// SPDX-License-Identifier: Apache-2.0
//
//   vbn-connect-storm [NODES [PROCESSES]]     all to all, with owners that have no queue pairs
//
// Measures the connection manager alone; exit status 0 when everything is connected.
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "connect_storm.h"

namespace verbena::bench {
namespace {

class NoQueuePairs final : public StormOwner {
 public:
  void report(connect::Lifecycle& to) override { lifecycle_ = &to; }
  verbs::Result<connect::QueuePairEnd> create(connect::ConnectionId id, connect::NodeId) override {
    connect::QueuePairEnd end;
    end.qpNum = static_cast<uint32_t>(id & 0xffffff);
    return end;
  }
  verbs::Result<void> connect(connect::ConnectionId, const connect::QueuePairEnd&) override {
    return {};
  }
  void ready(connect::ConnectionId) override {}
  void close(connect::ConnectionId id, const std::string&) override { lifecycle_->closed(id); }

 private:
  connect::Lifecycle* lifecycle_ = nullptr;
};

StormOptions parse(int count, char** arguments) {
  StormOptions options;
  if (count > 1) options.nodes = static_cast<connect::NodeId>(std::atoi(arguments[1]));
  if (count > 2) options.processes = static_cast<unsigned>(std::atoi(arguments[2]));
  return options;
}

}  // namespace
}  // namespace verbena::bench

int main(int count, char** arguments) {
  using namespace verbena::bench;
  StormOptions options = parse(count, arguments);
  if (options.nodes < 2 || options.processes < 1) {
    std::fprintf(stderr, "usage: vbn-connect-storm [NODES [PROCESSES]]\n");
    return 2;
  }
  try {
    return connectStorm(options, [](auto) { return std::make_unique<NoQueuePairs>(); });
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vbn-connect-storm: %s\n", error.what());
    return 1;
  }
}
