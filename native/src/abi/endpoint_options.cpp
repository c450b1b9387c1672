// SPDX-License-Identifier: Apache-2.0
#include "abi/endpoint_options.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "abi/boundary.h"
#include "abi/numbers.h"
#include "abi/wishes.h"

namespace verbena::abi {
namespace {

/// When this version of the ABI began.
constexpr size_t kFirstOptionsBytes = offsetof(vbn_endpoint_options, discovery_ns);

void check(const vbn_endpoint_options& given) {
  static_cast<void>(givenId(given.node_id));
  if (given.incarnation == 0)
    throw std::invalid_argument("the incarnation is 0; it may be any other");
  if ((given.key == nullptr) != (given.key_bytes == 0)) {
    throw std::invalid_argument("a key has both a place and a length, or neither; its length is " +
                                std::to_string(given.key_bytes));
  }
}

streams::EngineOptions toEngine(const vbn_endpoint_options& given) {
  streams::EngineOptions engine;
  engine.self = given.node_id;
  engine.maxConnections = given.max_connections;
  engine.sendWorkRequests = given.send_work_requests;
  engine.signalEvery = given.signal_every;
  engine.bufferBytes = given.buffer_bytes;
  engine.buffersPerReceive = given.buffers_per_receive;
  engine.receiveWorkRequests = given.receive_work_requests;
  engine.window = given.window;
  engine.controlRingBytes = given.control_bytes;
  // Who lets peers pause for long does not lose them for sends that wait meanwhile.
  engine.patience = std::max(engine.patience, std::chrono::duration_cast<std::chrono::milliseconds>(
                                                  nanoseconds(given.dead_after_ns)));
  return engine;
}

connect::ManagerOptions toManager(const vbn_endpoint_options& given) {
  connect::ManagerOptions manager;
  manager.self = given.node_id;
  manager.incarnation = given.incarnation;
  if (given.cluster != nullptr) manager.cluster = given.cluster;
  if (given.key != nullptr) {
    auto* key = reinterpret_cast<const std::byte*>(given.key);
    manager.key.assign(key, key + given.key_bytes);
  }
  if (given.listen != nullptr) manager.listen = given.listen;
  manager.heartbeat = nanoseconds(given.heartbeat_ns);
  manager.deadAfter = nanoseconds(given.dead_after_ns);
  manager.discovery = nanoseconds(given.discovery_ns);
  return manager;
}

}  // namespace

lanes::EndpointOptions toOptions(const vbn_endpoint_options* given) {
  vbn_endpoint_options known = takeIn(given, kFirstOptionsBytes, "vbn_endpoint_options");
  check(known);
  lanes::EndpointOptions options;
  options.device = toWishes(known.device);
  options.kernelOnly = known.kernel_only != 0;
  options.engine = toEngine(known);
  options.manager = toManager(known);
  return options;
}

}  // namespace verbena::abi
