// SPDX-License-Identifier: Apache-2.0
//
// A port that goes down and comes up again. softnic does it by its fault script; for another device
// VERBENA_TEST_PORT_DOWN and VERBENA_TEST_PORT_UP are the shell commands that do it.
#include <cstdlib>
#include <string_view>

#include "conformance_test.h"
#include "softnic/objects/faults.h"

namespace verbena::conformance {
namespace {

class PortEvents : public Connected {
 protected:
  void SetUp() override {
    Connected::SetUp();
    events.emplace(must(verbs::AsyncEvents::of(*context)));
    if (!onSoftnic() && std::getenv("VERBENA_TEST_PORT_DOWN") == nullptr) {
      GTEST_SKIP() << "set VERBENA_TEST_PORT_DOWN and VERBENA_TEST_PORT_UP to the commands that "
                      "take the port of this device down and up";
    }
  }

  static bool onSoftnic() {
    return std::string_view(device().selection().device.provider().name) == "softnic";
  }

  void takeDown() {
    if (!onSoftnic()) return run("VERBENA_TEST_PORT_DOWN");
    // It comes up by itself: late enough for a slow machine to see that it is down.
    std::string error;
    ASSERT_TRUE(softnic::setFaults(context->get(), "send:1=port-down(1000)", error)) << error;
    requester();
    passMessage(1);
  }

  void bringUp() {
    if (!onSoftnic()) run("VERBENA_TEST_PORT_UP");
  }

  /// Whether at once or when the port is up again.
  void passMessage(uint64_t id) {
    responder().postReceive(id, {responder().piece(0, 64)});
    requester().post({.id = id, .pieces = {requester().piece(0, 64)}});
  }

  void expectEvent(ibv_event_type type) {
    std::optional<verbs::AsyncEvent> event = await(*events);
    ASSERT_TRUE(event) << "no event came";
    EXPECT_EQ(event->type, type);
    EXPECT_EQ(event->port, device().selection().port);
  }

  ibv_port_state state() { return must(context->queryPort(device().selection().port)).state; }

  std::optional<verbs::AsyncEvents> events;

 private:
  static void run(const char* name) {
    const char* command = std::getenv(name);
    ASSERT_NE(command, nullptr) << name << " is not set";
    ASSERT_EQ(std::system(command), 0) << command;
  }
};

TEST_F(PortEvents, TellOfThePortThatGoesDownAndComesUp) {
  ASSERT_NO_FATAL_FAILURE(takeDown());
  EXPECT_EQ(state(), IBV_PORT_DOWN);
  expectEvent(IBV_EVENT_PORT_ERR);
  ASSERT_NO_FATAL_FAILURE(bringUp());
  expectEvent(IBV_EVENT_PORT_ACTIVE);
  EXPECT_EQ(state(), IBV_PORT_ACTIVE);
}

TEST_F(PortEvents, LeaveConnectionsAsTheyAre) {
  connectPair({}, {}, {.timeout = 18});
  ASSERT_NO_FATAL_FAILURE(takeDown());
  expectEvent(IBV_EVENT_PORT_ERR);
  ASSERT_NO_FATAL_FAILURE(bringUp());
  expectEvent(IBV_EVENT_PORT_ACTIVE);
  if (onSoftnic()) {
    expectSuccess(received(), 1, IBV_WC_RECV);
    expectSuccess(sent(), 1, IBV_WC_SEND);
  }
  passMessage(2);
  expectSuccess(received(), 2, IBV_WC_RECV);
  expectSuccess(sent(), 2, IBV_WC_SEND);
}

}  // namespace
}  // namespace verbena::conformance
