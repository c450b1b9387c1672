// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <thread>

#include "verbena.h"

namespace {

class DevicesAbi : public ::testing::Test {
 protected:
  ~DevicesAbi() override { vbn_devices_free(found); }

  vbn_status survey(const char* device = nullptr) {
    wishes.device = device;
    return vbn_devices_survey(&wishes, &found);
  }

  vbn_port softnic() {
    for (uint32_t row = 0; row < vbn_devices_port_count(found); row++) {
      vbn_port port{};
      port.struct_bytes = sizeof port;
      EXPECT_EQ(vbn_devices_port(found, row, &port), VBN_OK);
      if (std::string(port.provider) == "softnic") return port;
    }
    ADD_FAILURE() << "softnic is not listed";
    return {};
  }

  vbn_wishes wishes = {sizeof(vbn_wishes), 0, nullptr, -1, 0, -1, -1, 0, 0, nullptr};
  vbn_devices* found = nullptr;
};

TEST_F(DevicesAbi, VersionIsTheHeaders) {
  EXPECT_EQ(vbn_abi_version(), VBN_ABI_VERSION);
}

TEST_F(DevicesAbi, ListsSoftnicAndChoosesItWhenAsked) {
  ASSERT_EQ(survey("softnic"), VBN_OK) << vbn_error();
  vbn_port port = softnic();
  EXPECT_EQ(port.state, 4U);
  EXPECT_EQ(port.usable, 1U);
  EXPECT_EQ(port.chosen, 1U);
  EXPECT_GE(port.gid_count, 1U);
  EXPECT_GE(port.mtu_bytes, 256U);
  EXPECT_NE(vbn_devices_reason(found, 0), nullptr);
}

TEST_F(DevicesAbi, TellsWhereSoftnicCannotListen) {
  wishes.listen = "nowhere";
  ASSERT_EQ(survey("softnic"), VBN_OK) << vbn_error();
  ASSERT_NE(vbn_devices_trouble(found, 0), nullptr);
  std::string troubles;
  for (uint32_t i = 0; vbn_devices_trouble(found, i) != nullptr; i++) {
    troubles += vbn_devices_trouble(found, i);
  }
  EXPECT_NE(troubles.find("'nowhere', which is not ADDRESS[:PORT[-LAST]]"), std::string::npos)
      << troubles;
}

TEST_F(DevicesAbi, WishesOfACallerThatKnowsNoPlaceToListenAreTaken) {
  wishes.struct_bytes = offsetof(vbn_wishes, listen);
  EXPECT_EQ(survey("softnic"), VBN_OK) << vbn_error();
}

TEST_F(DevicesAbi, SaysWhichGidIsChosen) {
  ASSERT_EQ(survey("softnic"), VBN_OK);
  uint32_t chosen = 0;
  for (uint32_t row = 0; row < vbn_devices_port_count(found); row++) {
    vbn_gid gid{};
    gid.struct_bytes = sizeof gid;
    for (uint32_t i = 0; vbn_devices_gid(found, row, i, &gid) == VBN_OK; i++) {
      chosen += gid.chosen;
      EXPECT_GT(std::strlen(gid.text), 0U);
    }
  }
  EXPECT_EQ(chosen, 1U);
}

TEST_F(DevicesAbi, ThatNoDeviceFitsIsNoFailureButHasAReason) {
  ASSERT_EQ(survey("no-such-device"), VBN_OK);
  std::string reason = vbn_devices_reason(found, 0);
  EXPECT_NE(reason.find("there is no device 'no-such-device'"), std::string::npos) << reason;
  EXPECT_EQ(softnic().chosen, 0U);
}

TEST_F(DevicesAbi, HindranceTellsWhyAPortDoesNotMeetTheWishes) {
  wishes.gid_index = 255;
  ASSERT_EQ(survey("softnic"), VBN_OK);
  std::string hindrance = vbn_devices_hindrance(found, vbn_devices_port_count(found) - 1);
  EXPECT_NE(hindrance.find("GID index 255 is not in use"), std::string::npos) << hindrance;
}

TEST_F(DevicesAbi, RefusesWhatItDoesNotUnderstand) {
  EXPECT_EQ(vbn_devices_survey(nullptr, nullptr), VBN_INVALID);
  EXPECT_GT(std::strlen(vbn_error()), 0U);
  wishes.struct_bytes = 8;
  EXPECT_EQ(survey(), VBN_INVALID);
  EXPECT_EQ(std::string(vbn_error()),
            "vbn_wishes: struct_bytes is 8; in this library's version it has " +
                std::to_string(sizeof wishes));
  EXPECT_EQ(found, nullptr);
}

TEST_F(DevicesAbi, NamesTheWishItRefusesAndWhatItMayBe) {
  auto refusal = [this](auto change) -> std::string {
    vbn_wishes changed = wishes;
    change(changed);
    EXPECT_EQ(vbn_devices_survey(&changed, &found), VBN_INVALID);
    return vbn_error();
  };
  const std::string said = "a wish is out of range: ";
  EXPECT_EQ(refusal([](vbn_wishes& w) { w.port = 256; }),
            said + "port is 256; set it to 1 to 255, or to 0 for any");
  EXPECT_EQ(refusal([](vbn_wishes& w) { w.gid_index = 256; }),
            said + "gid_index is 256; set it to 0 to 255, or to -1 for any");
  EXPECT_EQ(refusal([](vbn_wishes& w) { w.gid_index = -2; }),
            said + "gid_index is -2; set it to 0 to 255, or to -1 for any");
  EXPECT_EQ(refusal([](vbn_wishes& w) { w.pkey = 65536; }),
            said + "pkey is 65536; set it to 0 to 65535, or to -1 for any");
  EXPECT_EQ(refusal([](vbn_wishes& w) { w.service_level = 16; }),
            said + "service_level is 16; set it to 0 to 15, or to -1 for the default");
  EXPECT_EQ(refusal([](vbn_wishes& w) { w.traffic_class = 256; }),
            said + "traffic_class is 256; set it to 0 to 255");
  EXPECT_EQ(refusal([](vbn_wishes& w) { w.family = 5; }),
            said + "family is 5; set it to 4 for IPv4, to 6 for IPv6, or to 0 for any");
  EXPECT_EQ(refusal([](vbn_wishes& w) { w.mtu_bytes = 1000; }),
            said +
                "mtu_bytes is 1000; set it to 256, 512, 1024, 2048 or 4096, or to 0 for the "
                "port's");
  EXPECT_EQ(found, nullptr);
}

TEST_F(DevicesAbi, TakesTheLargestWishes) {
  wishes = {sizeof(vbn_wishes), 255, nullptr, 255, 6, 65535, 15, 4096, 255, nullptr};
  ASSERT_EQ(survey(), VBN_OK) << vbn_error();
  std::string reason = vbn_devices_reason(found, 0);
  EXPECT_NE(reason.find("has no port 255, its only port is 1"), std::string::npos) << reason;
}

TEST_F(DevicesAbi, RefusesRowsThatAreNotThere) {
  ASSERT_EQ(survey(), VBN_OK);
  vbn_port port{};
  port.struct_bytes = sizeof port;
  EXPECT_EQ(vbn_devices_port(found, 1000, &port), VBN_INVALID);
  EXPECT_EQ(std::string(vbn_error()),
            "there is no row 1000 among " + std::to_string(vbn_devices_port_count(found)));
  EXPECT_EQ(vbn_devices_port(found, 0, nullptr), VBN_INVALID);
  EXPECT_EQ(std::string(vbn_error()), "the place for the result is null");
  vbn_gid gid{};
  gid.struct_bytes = sizeof gid;
  EXPECT_EQ(vbn_devices_gid(found, 0, 1000, &gid), VBN_INVALID);
  EXPECT_EQ(std::string(vbn_error()).find("there is no GID 1000 among "), 0U);
  EXPECT_EQ(vbn_devices_hindrance(found, 1000), nullptr);
  EXPECT_EQ(vbn_devices_reason(found, 1000), nullptr);
  EXPECT_EQ(vbn_devices_port_count(nullptr), 0U);
  vbn_devices_free(nullptr);
}

TEST_F(DevicesAbi, FillsOnlyWhatAnOlderCallerHasRoomFor) {
  ASSERT_EQ(survey("softnic"), VBN_OK);
  vbn_port port;
  std::memset(&port, 0x5a, sizeof port);
  port.struct_bytes = offsetof(vbn_port, node_guid);
  ASSERT_EQ(vbn_devices_port(found, 0, &port), VBN_OK);
  EXPECT_GT(std::strlen(port.device), 0U);
  EXPECT_EQ(port.struct_bytes, offsetof(vbn_port, node_guid));
  EXPECT_EQ(port.node_guid, 0x5a5a5a5a5a5a5a5aU);
  port.struct_bytes = sizeof port + 8;
  EXPECT_EQ(vbn_devices_port(found, 0, &port), VBN_INVALID);
}

TEST_F(DevicesAbi, ErrorTextIsOfEachThread) {
  ASSERT_EQ(vbn_devices_survey(nullptr, nullptr), VBN_INVALID);
  std::string other = "not run";
  std::thread([&other] { other = vbn_error(); }).join();
  EXPECT_EQ(other, "");
}

}  // namespace
