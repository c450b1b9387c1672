// SPDX-License-Identifier: Apache-2.0
//
// A provider whose devices are a script: what they report is set by the test, any call can be made
// to fail, and every making and destroying is logged. Its data path takes everything and completes
// nothing.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "verbs/provider.h"

namespace verbena::verbs::testing {

struct FakeGid {
  std::string address;  ///< as inet_pton takes it; IPv4 becomes a mapped address
  uint32_t type = IBV_GID_TYPE_ROCE_V2;
};

struct FakePort {
  ibv_port_state state = IBV_PORT_ACTIVE;
  uint8_t linkLayer = IBV_LINK_LAYER_ETHERNET;
  uint16_t lid = 0;
  ibv_mtu activeMtu = IBV_MTU_1024;
  uint8_t activeSpeed = 32;  ///< EDR, 25 Gb/s a lane
  uint8_t activeWidth = 2;   ///< 4 lanes
  std::map<uint32_t, FakeGid> gids = {{0, {"fe80::1", IBV_GID_TYPE_ROCE_V1}},
                                      {1, {"fe80::1", IBV_GID_TYPE_ROCE_V2}},
                                      {2, {"10.0.0.1", IBV_GID_TYPE_ROCE_V1}},
                                      {3, {"10.0.0.1", IBV_GID_TYPE_ROCE_V2}}};
  std::vector<uint16_t> pkeys = {0xffff};
};

struct FakeDevice {
  std::string name;
  std::vector<FakePort> ports = {FakePort{}};
  ibv_transport_type transport = IBV_TRANSPORT_IB;
};

/// One modify_qp.
struct QpChange {
  ibv_qp_attr attributes;
  int mask;
};

/// One at a time: the provider's functions find their state through the living instance.
class FakeProvider {
 public:
  explicit FakeProvider(std::vector<FakeDevice> devices, const char* name = "libibverbs");
  ~FakeProvider();
  FakeProvider(const FakeProvider&) = delete;
  FakeProvider& operator=(const FakeProvider&) = delete;

  const Provider& provider() const { return provider_; }

  std::vector<FakeDevice> devices;
  std::map<std::string, int> failures;  ///< call, as "reg_mr" -> errno it fails with
  std::vector<std::string> log;         ///< "create_cq", "destroy_cq", …
  /// Told of each making and destroying by the thread that does it, before it is done.
  std::function<void(const std::string& call)> before;
  std::vector<ibv_async_event> pendingAsync;  ///< what get_async_event will deliver
  std::vector<ibv_cq*> pendingCompletions;    ///< what get_cq_event will deliver
  ibv_qp_attr lastQpAttributes{};             ///< of the last modify_qp
  int lastQpMask = 0;
  std::vector<QpChange> qpChanges;  ///< all of them
  int acknowledged = 0;             ///< events of both kinds
  uint32_t registrations = 0;       ///< so far; each has keys of its own

  /// The errno to fail `call` with, 0 to succeed.
  int failureOf(const std::string& call) const;

  // --- by the provider's functions; any thread
  void note(const std::string& entry);
  uint32_t takeQpNum();
  void note(const QpChange& change);

 private:
  Provider provider_;
  std::mutex lock_;  // several threads make and destroy
  uint32_t nextQpNum_ = 17;
};

}  // namespace verbena::verbs::testing
