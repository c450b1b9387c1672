// SPDX-License-Identifier: Apache-2.0
#include "network.h"

#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <optional>
#include <string_view>

#include "failure.h"
#include "job/key_file.h"

namespace verbena::ip {
namespace {

/// Where softnic is reached by other hosts, if there is no better device: none reaches a loopback.
std::string softnicAddress(const IpAddress& address) {
  if (address.isLoopback()) return "";
  return address.family == AF_INET ? address.text() : "[" + address.text() + "]:24740";
}

/// Links that are just ending.
constexpr uint32_t kEnding = 8;
/// Of a worker; what one device has room for is shared by all.
constexpr uint32_t kMostChannels = 1'024;

/// Of an address. A name is looked up by the fabric, and may lead elsewhere each time.
bool isReachedBy(const Tap& tap, const Endpoint& endpoint) {
  std::optional<IpAddress> address = endpoint.asAddress();
  return address && tap.leadsTo(*address);
}

bool isSoftnic(const vbn_wishes& wishes) {
  vbn_devices* found = nullptr;
  if (vbn_devices_survey(&wishes, &found) != VBN_OK) return false;
  std::unique_ptr<vbn_devices, decltype(&vbn_devices_free)> all(found, vbn_devices_free);
  for (uint32_t row = 0; row < vbn_devices_port_count(found); row++) {
    vbn_port port{};
    port.struct_bytes = sizeof port;
    bool isChosen = vbn_devices_port(found, row, &port) == VBN_OK && port.chosen != 0;
    if (isChosen) return std::string_view(port.provider) == "softnic";
  }
  return false;
}

}  // namespace

Network::Network(NetworkOptions options)
    : options_(std::move(options)), mac_(macOf(options_.node)) {
  auto nodes = readPeers(options_.peersFile);
  auto own = nodes.find(options_.node);
  if (own == nodes.end()) {
    fail("find node " + std::to_string(options_.node) + " in", options_.peersFile, 0,
         "the file has this node's own address, too");
  }
  Endpoint here = own->second;
  nodes.erase(own);
  for (const auto& [node, endpoint] : nodes) {
    places_[node] = static_cast<int>(peers_.size());
    peers_.emplace_back(node, endpoint);
  }
  TapOptions tap = options_.tap;
  tap.mac = mac_;
  tap_ = std::make_unique<Tap>(tap);
  for (const Peer& each : peers_) {
    if (!isReachedBy(*tap_, each.endpoint())) continue;
    fail("reach node " + std::to_string(each.node()) + " at " + each.endpoint().text(), "", 0,
         "the way there leads through " + tap.name + " itself: give an address of another network");
  }
  openFabric(here);
  for (uint32_t i = 0; i < tap.queues; i++) queues_.emplace_back(*this, i);
}

void Network::openFabric(const Endpoint& own) {
  std::string key;
  if (!options_.keyFile.empty()) {
    auto read = job::readKeyFile(options_.keyFile);
    if (!read) throw Error(read.error().sentence());
    key = *read;
  }
  std::string listen = own.text();
  std::string softnic = softnicAddress(own.resolve());
  vbn_wishes wishes{};
  wishes.struct_bytes = sizeof wishes;
  wishes.gid_index = -1;
  wishes.pkey = -1;
  wishes.service_level = -1;
  wishes.device = options_.device.c_str();
  if (options_.encryptionRequired) {
    if (std::getenv("VERBENA_SOFTNIC_TCP") != nullptr) {
      fail("require encryption", "", 0, "VERBENA_SOFTNIC_TCP is set, and nothing encrypts that");
    }
    wishes.device = "softnic";  // on this host alone
  } else {
    wishes.listen = softnic.c_str();
    if (!softnic.empty() && key.empty() && isSoftnic(wishes)) {
      fail("reach other hosts by softnic", "", 0,
           "nobody writes by TCP who has not proved the cluster's key: give all nodes --key");
    }
  }
  vbn_fabric_options fabric{};
  fabric.node_id = options_.node;
  fabric.cluster = options_.cluster.empty() ? nullptr : options_.cluster.c_str();
  fabric.key = key.empty() ? nullptr : reinterpret_cast<const uint8_t*>(key.data());
  fabric.key_bytes = key.size();
  fabric.listen = listen.c_str();
  fabric.device = &wishes;
  fabric.max_links = 1;
  fabric.workers = options_.tap.queues;
  // A worker writes to each peer, and reads its share of each peer's queues, however many they are.
  // Of large networks not all are used at a time: what has no place is refused, and tried again.
  uint32_t shared = (kMostQueues + options_.tap.queues - 1) / options_.tap.queues;
  fabric.channels =
      std::min(static_cast<uint32_t>(peers_.size()) * (shared + 1) + kEnding, kMostChannels);
  fabric_ = std::make_unique<Fabric>(fabric);
  for (const Peer& each : peers_) fabric_->addPeer(each.node(), each.endpoint().text());
}

Queue& Network::queue(uint32_t number) {
  return *std::next(queues_.begin(), number);
}

void Network::start() {
  uint32_t number = 0;
  for (Queue& each : queues_) {
    threads_.emplace_back([this, &each] {
      try {
        each.run();
      } catch (const std::exception& failure) {
        failed(failure.what());
      }
    });
    std::string name = "vbn-ip/" + std::to_string(number++);
    pthread_setname_np(threads_.back().native_handle(), name.c_str());
  }
}

void Network::stop() {
  stopping_.store(true, std::memory_order_relaxed);
  stop_.ring();
  threads_.clear();
}

void Network::failed(const std::string& reason) {
  std::lock_guard guard(lock_);
  if (failure_.empty()) failure_ = reason;
  stopping_.store(true, std::memory_order_relaxed);
  stop_.ring();
}

std::string Network::failure() const {
  std::lock_guard guard(lock_);
  return failure_;
}

Network::~Network() {
  stop();
}

}  // namespace verbena::ip
