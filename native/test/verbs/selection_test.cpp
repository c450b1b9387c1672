// SPDX-License-Identifier: Apache-2.0
//
// Which port and address are selected, and what is said when none can be.
#include "verbs/selection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "fake_provider.h"
#include "verbs/names.h"

namespace verbena::verbs {
namespace {

using testing::FakeDevice;
using testing::FakePort;
using testing::FakeProvider;

class SelectionTest : public ::testing::Test {
 protected:
  FakeDevice& device(size_t index = 0) { return fake.devices.at(index); }
  FakePort& port() { return device().ports.front(); }

  base::Result<Selection> selected(const Wishes& wishes = {}) const {
    std::array providers = {base::Result<const Provider*>(&fake.provider())};
    return select(survey(providers), wishes);
  }

  std::string refusal(const Wishes& wishes = {}) const {
    base::Result<Selection> result = selected(wishes);
    return result ? "no error" : result.error().sentence();
  }

  static bool mentions(const Selection& selection, const std::string& reason) {
    return std::any_of(
        selection.reasons.begin(), selection.reasons.end(),
        [&](const std::string& text) { return text.find(reason) != std::string::npos; });
  }

  FakeProvider fake{{{.name = "fake0"}}};
};

TEST_F(SelectionTest, PrefersRoceV2WithAnIpv4Address) {
  Selection selection = selected().value();
  EXPECT_EQ(selection.gid.gid_index, 3U);
  EXPECT_TRUE(mentions(selection, "GID 3 (10.0.0.1, RoCE v2)")) << selection.reasons.at(1);
}

TEST_F(SelectionTest, PrefersAGlobalIpv6AddressToALinkLocalOne) {
  port().gids = {{0, {"fe80::1"}}, {1, {"2001:db8::1"}}};
  EXPECT_EQ(gidText(selected()->gid.gid), "2001:db8::1");
}

TEST_F(SelectionTest, PrefersALinkLocalRoceV2AddressToRoceV1) {
  port().gids = {{0, {"10.0.0.1", IBV_GID_TYPE_ROCE_V1}}, {5, {"fe80::1"}}};
  EXPECT_EQ(selected()->gid.gid_index, 5U);
}

TEST_F(SelectionTest, FallsBackToRoceV1) {
  port().gids = {{2, {"10.0.0.1", IBV_GID_TYPE_ROCE_V1}}};
  EXPECT_EQ(selected()->gid.gid_index, 2U);
}

TEST_F(SelectionTest, KeepsToTheAddressFamilyAskedFor) {
  EXPECT_EQ(selected({.family = AddressFamily::ipv6})->gid.gid_index, 1U);
  EXPECT_EQ(selected({.family = AddressFamily::ipv4})->gid.gid_index, 3U);
  port().gids.erase(2);
  port().gids.erase(3);
  EXPECT_EQ(
      refusal({.family = AddressFamily::ipv4}),
      "cannot choose a verbs device: ENODEV; cannot use the port on fake0 port 1: it has no IPv4 "
      "GID; give its network device an IPv4 address");
}

TEST_F(SelectionTest, TakesTheGidIndexAskedForOrNamesThoseInUse) {
  EXPECT_EQ(selected({.gidIndex = 0})->gid.gid_type, uint32_t{IBV_GID_TYPE_ROCE_V1});
  port().gids = {{3, {"10.0.0.1"}}};
  EXPECT_EQ(
      refusal({.gidIndex = 4}),
      "cannot choose a verbs device: ENODEV; cannot use the port on fake0 port 1: GID index 4 is "
      "not in use; in use are GID 3 (10.0.0.1, RoCE v2)");
}

TEST_F(SelectionTest, SaysThatThereIsNoAddress) {
  port().gids.clear();
  EXPECT_EQ(
      refusal(),
      "cannot choose a verbs device: ENODEV; cannot use the port on fake0 port 1: it has no GID; "
      "give its network device an address");
}

TEST_F(SelectionTest, PassesOverAPortThatIsDown) {
  device().ports.push_back(FakePort{});
  port().state = IBV_PORT_DOWN;
  Selection selection = selected().value();
  EXPECT_EQ(selection.port, 2);
  EXPECT_TRUE(
      mentions(selection, "passed over: cannot use the port on fake0 port 1: the port is down"));
}

TEST_F(SelectionTest, SaysWhatToDoAboutADownPort) {
  port().state = IBV_PORT_DOWN;
  EXPECT_EQ(
      refusal(),
      "cannot choose a verbs device: ENODEV; cannot use the port on fake0 port 1: the port is "
      "down; bring its network device up ('ip link set DEVICE up') or see to the cable");
}

TEST_F(SelectionTest, SaysThatAnInfinibandPortWaitsForASubnetManager) {
  port().linkLayer = IBV_LINK_LAYER_INFINIBAND;
  port().state = IBV_PORT_INIT;
  EXPECT_EQ(
      refusal(),
      "cannot choose a verbs device: ENODEV; cannot use the port on fake0 port 1: the port is "
      "initializing; no subnet manager has brought it up, start one (opensm) on the fabric");
}

TEST_F(SelectionTest, AddressesAnInfinibandPortByItsLid) {
  port() = {.linkLayer = IBV_LINK_LAYER_INFINIBAND, .lid = 7};
  port().gids = {{0, {"fe80::1", IBV_GID_TYPE_IB}}};
  Selection selection = selected().value();
  EXPECT_FALSE(selection.global);
  EXPECT_EQ(selection.lid, 7);
  Path path = selection.pathTo({}, 9);
  EXPECT_FALSE(path.global);
  EXPECT_EQ(path.remoteLid, 9);
}

TEST_F(SelectionTest, RefusesAnInfinibandPortWithoutALid) {
  port().linkLayer = IBV_LINK_LAYER_INFINIBAND;
  EXPECT_NE(refusal().find("it has no LID; no subnet manager has configured it"),
            std::string::npos);
}

TEST_F(SelectionTest, RefusesIwarp) {
  device().transport = IBV_TRANSPORT_IWARP;
  EXPECT_NE(refusal().find("it is an iWARP device"), std::string::npos) << refusal();
}

TEST_F(SelectionTest, TakesTheFastestPort) {
  fake.devices.push_back({.name = "fake1"});
  device(1).ports.front().activeSpeed = 128;
  Selection selection = selected().value();
  EXPECT_EQ(selection.device.name(), "fake1");
  EXPECT_TRUE(mentions(selection, "fake1 port 1: the fastest (400 Gb/s) of the 2 usable ports"))
      << selection.reasons.front();
}

TEST_F(SelectionTest, TakesTheFirstOfEquallyFastPorts) {
  fake.devices.push_back({.name = "fake1"});
  EXPECT_EQ(selected()->device.name(), "fake0");
}

TEST_F(SelectionTest, PrefersTheFirstProviderWhateverItsRate) {
  Provider second = fake.provider();
  second.name = "softnic";
  fake.devices.push_back({.name = "fake1"});
  device(1).ports.front().activeSpeed = 128;
  // Both list both devices; the second is never taken.
  std::array providers = {base::Result<const Provider*>(&fake.provider()),
                          base::Result<const Provider*>(&second)};
  Survey found = survey(providers);
  ASSERT_EQ(found.devices.size(), 4U);
  found.devices.erase(found.devices.begin() + 1);
  EXPECT_EQ(select(found)->device.name(), "fake0");
}

TEST_F(SelectionTest, TakesTheDeviceAskedForByItsNameOrItsProviders) {
  fake.devices.push_back({.name = "fake1"});
  EXPECT_EQ(selected({.device = "fake1"})->device.name(), "fake1");
  EXPECT_EQ(selected({.device = "libibverbs"})->device.name(), "fake0");
  EXPECT_EQ(
      refusal({.device = "fake9"}),
      "cannot choose a verbs device: ENODEV; there is no device 'fake9', there are fake0, fake1");
}

TEST_F(SelectionTest, TakesThePortAskedFor) {
  device().ports.push_back(FakePort{});
  EXPECT_EQ(selected({.port = 2})->port, 2);
  EXPECT_EQ(refusal({.port = 3}),
            "cannot choose a verbs device: ENODEV; fake0 has no port 3, its ports are 1 to 2");
}

TEST_F(SelectionTest, PrefersTheDefaultPartitionThenFullMembership) {
  port().pkeys = {0x0001, 0x8002, 0xffff};
  EXPECT_EQ(selected()->pkeyIndex, 2);
  port().pkeys = {0x0001, 0, 0x8002};
  EXPECT_EQ(selected()->pkeyIndex, 2);
  port().pkeys = {0, 0x0001};
  EXPECT_EQ(selected()->pkeyIndex, 1);
}

TEST_F(SelectionTest, TakesThePartitionAskedForWithOrWithoutTheMembershipBit) {
  port().pkeys = {0xffff, 0x8002};
  EXPECT_EQ(selected({.pkey = uint16_t{0x8002}})->pkeyIndex, 1);
  EXPECT_EQ(selected({.pkey = uint16_t{0x0002}})->pkeyIndex, 1);
  EXPECT_NE(refusal({.pkey = uint16_t{0x8003}})
                .find("it is not a member of P_Key 0x8003; its keys are 0xffff, 0x8002"),
            std::string::npos);
}

TEST_F(SelectionTest, TakesTheActiveMtuUnlessALowerOneIsAskedFor) {
  port().activeMtu = IBV_MTU_2048;
  EXPECT_EQ(selected()->mtu, IBV_MTU_2048);
  EXPECT_EQ(selected({.mtu = IBV_MTU_512})->mtu, IBV_MTU_512);
  EXPECT_NE(
      refusal({.mtu = IBV_MTU_4096})
          .find("an MTU of 4096 is above the port's 2048; raise the MTU of its network device"),
      std::string::npos);
}

TEST_F(SelectionTest, ChecksTheServiceLevel) {
  EXPECT_EQ(selected()->serviceLevel, 0);
  EXPECT_EQ(selected({.serviceLevel = 5})->pathTo({}, 0).serviceLevel, 5);
  EXPECT_NE(refusal({.serviceLevel = 16}).find("service level 16 is above 15"), std::string::npos);
}

TEST_F(SelectionTest, TakesTheTrafficClassWhereThereIsAHeaderForIt) {
  EXPECT_EQ(selected()->trafficClass, 0);
  EXPECT_EQ(selected({.trafficClass = 104})->pathTo({}, 0).trafficClass, 104);
  EXPECT_TRUE(mentions(selected({.trafficClass = 104}).value(), "traffic class 104: as asked"));
  port() = {.linkLayer = IBV_LINK_LAYER_INFINIBAND, .lid = 7};
  EXPECT_NE(
      refusal({.trafficClass = 104}).find("traffic class 104 is carried by the header of a GID"),
      std::string::npos);
}

TEST_F(SelectionTest, RecordsAReasonForEveryDecision) {
  Selection selection = selected().value();
  EXPECT_EQ(selection.reasons.size(), 5U);
  for (const char* about :
       {"fake0 port 1: the only usable port", "GID 3", "P_Key 0xffff: the default",
        "service level 0: the default", "MTU 1024: active"}) {
    EXPECT_TRUE(mentions(selection, about)) << about;
  }
}

TEST_F(SelectionTest, SaysWhyADeviceCouldNotBeOpened) {
  fake.failures["open_device"] = EACCES;
  EXPECT_NE(refusal().find("cannot open device on fake0: EACCES; the device says why"),
            std::string::npos)
      << refusal();
}

TEST_F(SelectionTest, SaysThatThereIsNoDevice) {
  fake.devices.clear();
  EXPECT_NE(refusal().find("cannot find a device on libibverbs: it lists none"), std::string::npos)
      << refusal();
}

TEST_F(SelectionTest, SaysThatTheProviderCouldNotBeLoaded) {
  std::array providers = {
      base::Result<const Provider*>(base::Error{"load libibverbs.so.1", "", 0, "not there"})};
  EXPECT_EQ(select(survey(providers)).error().sentence(),
            "cannot choose a verbs device: ENODEV; cannot load libibverbs.so.1: not there");
}

TEST_F(SelectionTest, LeavesNoDeviceOpen) {
  ASSERT_TRUE(selected());
  EXPECT_EQ(std::count(fake.log.begin(), fake.log.end(), "open_device"),
            std::count(fake.log.begin(), fake.log.end(), "close_device"));
}

}  // namespace
}  // namespace verbena::verbs
