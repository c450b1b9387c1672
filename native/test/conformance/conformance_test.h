// SPDX-License-Identifier: Apache-2.0
//
// What every test of the suite starts from.
#pragma once

#include <gtest/gtest.h>

#include "endpoint.h"

namespace verbena::conformance {

class Conformance : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(device().found()) << device().why();
    context.emplace(must(verbs::Context::open(device().selection().device)));
  }

  static const DeviceUnderTest& device() { return DeviceUnderTest::get(); }

  std::optional<verbs::Context> context;
};

/// Two endpoints with a reliable connection between them; the second is called the responder
/// although both can send.
class Connected : public Conformance {
 protected:
  /// Called by a test that wants anything but the defaults, before it uses the endpoints.
  void connectPair(const EndpointOptions& requesterOptions = {},
                   const EndpointOptions& responderOptions = {}, const LinkOptions& link = {}) {
    requester_.emplace(*context, requesterOptions);
    responder_.emplace(*context, responderOptions);
    connect(*requester_, *responder_, link);
  }

  Endpoint& requester() {
    if (!requester_) connectPair();
    return *requester_;
  }

  Endpoint& responder() {
    if (!responder_) connectPair();
    return *responder_;
  }

  ibv_wc sent() { return await(requester().sendQueue()); }
  ibv_wc received() { return await(responder().receiveQueue()); }

  /// A one-sided operation on the responder's memory at `offset`.
  Send oneSided(ibv_wr_opcode opcode, uint64_t id, std::vector<ibv_sge> pieces, size_t offset = 0) {
    return {.id = id,
            .opcode = opcode,
            .pieces = std::move(pieces),
            .remoteAddress = responder().address(offset),
            .remoteKey = responder().rkey()};
  }

  std::optional<Endpoint> requester_;
  std::optional<Endpoint> responder_;
};

}  // namespace verbena::conformance
