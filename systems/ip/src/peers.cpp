// SPDX-License-Identifier: Apache-2.0
#include "peers.h"

#include <cerrno>
#include <fstream>
#include <sstream>

#include "failure.h"

namespace verbena::ip {

std::map<uint32_t, Endpoint> readPeers(const std::string& path) {
  std::ifstream file(path);
  if (!file) fail("read the nodes' addresses from", path, errno);
  std::map<uint32_t, Endpoint> nodes;
  std::string line;
  for (uint32_t number = 1; std::getline(file, line); number++) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string where = path + " line " + std::to_string(number);
    uint32_t node = 0;
    std::string address;
    std::string rest;
    if ((words >> std::ws).eof()) continue;
    if (!(words >> node >> address) || words >> rest || node > kMostNode) {
      fail("read", where, 0,
           "a line is a node's number, 0 to " + std::to_string(kMostNode) +
               ", and its host:port, as '3 10.0.0.3:4800'");
    }
    if (!nodes.emplace(node, Endpoint::parse(address)).second) {
      fail("read", where, 0, "node " + std::to_string(node) + " has a line already");
    }
  }
  if (nodes.size() > kMostPeers + 1) {
    fail("read", path, 0,
         "it has " + std::to_string(nodes.size()) + " nodes; a network has at most " +
             std::to_string(kMostPeers + 1));
  }
  return nodes;
}

std::string Peer::way() const {
  std::lock_guard guard(lock_);
  return way_;
}

std::string Peer::lastTrouble() const {
  std::lock_guard guard(lock_);
  return lastTrouble_;
}

void Peer::trouble(const std::string& what) {
  std::lock_guard guard(lock_);
  lastTrouble_ = what;
}

void Peer::up(const std::string& way) {
  std::lock_guard guard(lock_);
  way_ = way;
  isUp_.store(true, std::memory_order_release);
}

void Peer::away(const std::string& reason) {
  std::lock_guard guard(lock_);
  if (isUp()) lastTrouble_ = reason;
  way_ = reason;
  isUp_.store(false, std::memory_order_release);
}

}  // namespace verbena::ip
