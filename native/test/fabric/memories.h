// SPDX-License-Identifier: Apache-2.0
//
// Nodes with one-sided memory, connected by hand, on the device under test.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "../softnic/ends.h"
#include "../softnic/over_tcp.h"
#include "fabric/one_sided.h"
#include "fabric/region.h"
#include "fabric/worker.h"
#include "verbs/wiring.h"

namespace verbena::fabric::testing {

using softnic::testing::Folders;
using softnic::testing::kPatience;
using softnic::testing::must;

/// Of testDevice().
verbs::Selection testPort(const verbs::Wiring& wiring = {});

/// One life of a node: a domain, a worker and its one-sided service.
class Node : public connect::Lifecycle {
 public:
  Node(connect::NodeId id, uint64_t incarnation, const WorkerOptions& options = {},
       bool mapping = true, const verbs::Wiring& wiring = {});

  connect::NodeId id() const { return owner_.node; }
  const Owner& owner() const { return owner_; }
  Worker& worker() { return *worker_; }
  OneSided& memory() { return *memory_; }

  std::shared_ptr<Region> region(size_t bytes) {
    return must(Region::allocate(domain_, owner_, bytes));
  }
  std::shared_ptr<Region> foreign(std::span<std::byte> bytes) {
    return must(Region::registerForeign(domain_, owner_, bytes));
  }

  /// Rounds until so many more operations are done, which are returned.
  std::vector<Done> await(size_t count);  // fewer when that does not happen, which fails the test
  /// Rounds until so many signals have come, which are taken; fewer fail the test.
  std::vector<Signal> awaitSignals(size_t count);
  /// Posts one operation and waits for its end. One that is not taken, for its key was revoked, is
  /// refused, too.
  Done::Outcome run(connect::LinkId link, const Request& request);

  void failed(connect::LinkId id, const std::string& reason) override;
  void closed(connect::LinkId id) override;
  Way way(connect::LinkId link) { return memory_->way(link).value(); }
  std::string failureOf(connect::LinkId id) const;
  int closedTimes(connect::LinkId id) const;
  /// A link that has failed is closed by the manager; here by the test.
  void close(connect::LinkId id);

 private:
  Owner owner_;
  std::shared_ptr<const Domain> domain_;
  std::unique_ptr<OneSided> memory_;
  std::unique_ptr<Worker> worker_;  // last: its links go before what they use
  mutable std::mutex lock_;
  std::map<connect::LinkId, std::string> failed_;
  std::map<connect::LinkId, int> closed_;
};

/// Connects both under the same id.
void connect(Node& one, Node& other, connect::LinkId id);

/// How operations go: by memory that both have mapped, or by the device. That one's packets go by
/// shared memory and between hosts by TCP, or by what a device of the kernel has.
enum class Wire : uint8_t { Mapped, Device, Tcp };
/// Those that the device under test has.
std::vector<Wire> wires();
verbs::Wiring wiringOf(Wire wire);
std::string nameOfWire(const ::testing::TestParamInfo<Wire>& info);

/// Names of tests for each way.
inline std::string nameOfWay(const ::testing::TestParamInfo<bool>& info) {
  return info.param ? "Mapped" : "ByDevice";
}

/// The same key as it is seen where the owner lends nothing: that it was revoked finds its device.
inline RegionKey unseen(RegionKey key) {
  key.lent = false;
  return key;
}

/// Two nodes with a link, each with a region of which the other has a key of everything.
class Memories : public ::testing::Test {
 protected:
  static constexpr connect::LinkId kLink = 7;
  static constexpr size_t kBytes = 1 << 20;

  /// Over TCP both are on hosts of their own.
  explicit Memories(Wire wire = Wire::Mapped);
  ~Memories() override;

  Request put(uint64_t localOffset, uint64_t offset, uint64_t length, uint64_t cookie = 0) const;
  Request get(uint64_t localOffset, uint64_t offset, uint64_t length, uint64_t cookie = 0) const;
  Request add(uint64_t offset, uint64_t operand) const;
  Request swap(uint64_t offset, uint64_t compare, uint64_t value) const;
  uint64_t& wordAt(const Region& region, uint64_t offset) const {
    return *reinterpret_cast<uint64_t*>(region.bytes().data() + offset);
  }
  /// A put of 8 bytes that signals.
  Request signal(uint32_t value, uint64_t offset = 0) const;
  /// The link has failed, and its end is waited for.
  void expectFailure();

  std::optional<softnic::testing::OverTcp> tcp_;
  Folders folders_;
  Node left_;
  std::optional<Folders> elsewhere_;
  Node right_;
  std::shared_ptr<Region> here_, there_;
  RegionKey key_;
};

}  // namespace verbena::fabric::testing
