// SPDX-License-Identifier: Apache-2.0
//
// What a caller in C can do wrong: it is told, and nothing falls over.
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <thread>

#include "verbena.h"

namespace {

class EndpointAbi : public ::testing::Test {
 protected:
  ~EndpointAbi() override {
    vbn_endpoint_close(one);
    vbn_endpoint_close(two);
  }

  vbn_endpoint_options optionsOf(uint32_t node) {
    vbn_endpoint_options options{};
    options.struct_bytes = sizeof options;
    options.node_id = node;
    options.incarnation = 77 + node;
    options.cluster = "abi";
    options.listen = "127.0.0.1:0";
    options.device = &softnic;
    options.max_connections = 4;
    options.send_work_requests = 16;
    options.signal_every = 4;
    options.buffer_bytes = 1024;
    options.buffers_per_receive = 2;
    options.receive_work_requests = 32;
    options.window = 8;
    options.control_bytes = 4096;
    options.heartbeat_ns = 100'000'000;
    options.dead_after_ns = 1'000'000'000;
    return options;
  }
  vbn_endpoint* open(uint32_t node, uint64_t discoveryNs = 0) {
    vbn_endpoint_options options = optionsOf(node);
    options.discovery_ns = discoveryNs;
    vbn_endpoint* opened = nullptr;
    EXPECT_EQ(vbn_endpoint_open(&options, &opened), VBN_OK) << vbn_error();
    return opened;
  }
  /// What is said of options that `change` has spoilt.
  std::string refusal(const std::function<void(vbn_endpoint_options&)>& change) {
    vbn_endpoint_options options = optionsOf(1);
    change(options);
    vbn_endpoint* opened = nullptr;
    EXPECT_EQ(vbn_endpoint_open(&options, &opened), VBN_INVALID);
    EXPECT_EQ(opened, nullptr);
    return vbn_error();
  }
  /// Both endpoints do rounds until it holds.
  bool eventually(const std::function<bool()>& holds) {
    for (int i = 0; i < 120'000; i++) {
      if (holds()) return true;
      vbn_arrival arrivals[8];
      if (one != nullptr) vbn_endpoint_progress(one, arrivals, 8);
      if (two != nullptr) vbn_endpoint_progress(two, arrivals, 8);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }
  static uint32_t connectionsOf(vbn_endpoint* endpoint) {
    vbn_counters counters{};
    counters.struct_bytes = sizeof counters;
    EXPECT_EQ(vbn_endpoint_counters(endpoint, &counters), VBN_OK);
    return counters.connections;
  }

  vbn_wishes softnic = {sizeof(vbn_wishes), 0, "softnic", -1, 0, -1, -1, 0, 0, nullptr};
  vbn_endpoint* one = nullptr;
  vbn_endpoint* two = nullptr;
};

TEST_F(EndpointAbi, OptionsOfAnotherSizeAreRefusedWithBothSizes) {
  std::string mine = std::to_string(sizeof(vbn_endpoint_options));
  for (uint32_t bytes : {0U, 4U, static_cast<uint32_t>(sizeof(vbn_endpoint_options)) + 8}) {
    EXPECT_EQ(refusal([&](auto& options) { options.struct_bytes = bytes; }),
              "vbn_endpoint_options: struct_bytes is " + std::to_string(bytes) +
                  "; in this library's version it has " + mine);
  }
}

TEST_F(EndpointAbi, OptionsOfWhenThisVersionBeganAreTaken) {
  vbn_endpoint_options options = optionsOf(1);
  options.struct_bytes = offsetof(vbn_endpoint_options, discovery_ns);
  options.discovery_ns = UINT64_MAX;  // is behind the caller's struct
  ASSERT_EQ(vbn_endpoint_open(&options, &one), VBN_OK) << vbn_error();
}

TEST_F(EndpointAbi, OptionsThatMakeNoSenseAreRefused) {
  EXPECT_EQ(refusal([](auto& options) { options.node_id = 65536; }),
            "the id of the node is 65536; it may be 0 to 65535");
  EXPECT_EQ(refusal([](auto& options) { options.incarnation = 0; }),
            "the incarnation is 0; it may be any other");
  const std::string keyless = "a key has both a place and a length, or neither; its length is ";
  EXPECT_EQ(refusal([](auto& options) { options.key_bytes = 16; }), keyless + "16");
  const uint8_t key[1] = {};
  EXPECT_EQ(refusal([&](auto& options) { options.key = key; }), keyless + "0");
  vbn_wishes short_ = softnic;
  short_.struct_bytes = 8;
  EXPECT_NE(refusal([&](auto& options) { options.device = &short_; }).find("struct_bytes is 8"),
            std::string::npos);
}

TEST_F(EndpointAbi, NullIsRefusedWhereSomethingIsNeeded) {
  one = open(1);
  vbn_endpoint_options options = optionsOf(2);
  vbn_endpoint* opened = nullptr;
  vbn_ring* ring = nullptr;
  vbn_replica* replica = nullptr;
  void* memory = nullptr;
  ASSERT_EQ(vbn_ring_allocate(one, 4096 + 4096, &ring, &memory), VBN_OK) << vbn_error();
  ASSERT_EQ(vbn_replica_allocate(one, 4096 + 4096, &replica, &memory), VBN_OK) << vbn_error();
  uint64_t address = 0;
  uint32_t key = 0;
  vbn_counters counters{};
  counters.struct_bytes = sizeof counters;
  struct Case {
    const char* named;
    std::function<vbn_status()> call;
  };
  const Case cases[] = {
      {"vbn_endpoint_options", [&] { return vbn_endpoint_open(nullptr, &opened); }},
      {"the place for the endpoint", [&] { return vbn_endpoint_open(&options, nullptr); }},
      {"the endpoint", [&] { return vbn_endpoint_add_peer(nullptr, 2, "127.0.0.1:7"); }},
      {"the address", [&] { return vbn_endpoint_add_peer(one, 2, nullptr); }},
      {"the endpoint", [&] { return vbn_endpoint_remove_peer(nullptr, 2); }},
      {"the endpoint", [&] { return vbn_endpoint_dial(nullptr, 2, "127.0.0.1:7", 1); }},
      {"the endpoint", [&] { return vbn_ring_allocate(nullptr, 8192, &ring, &memory); }},
      {"the place for the ring", [&] { return vbn_ring_allocate(one, 8192, nullptr, &memory); }},
      {"the place for its memory", [&] { return vbn_ring_allocate(one, 8192, &ring, nullptr); }},
      {"the endpoint", [&] { return vbn_replica_allocate(nullptr, 8192, &replica, &memory); }},
      {"the place for the replica",
       [&] { return vbn_replica_allocate(one, 8192, nullptr, &memory); }},
      {"the place for its memory",
       [&] { return vbn_replica_allocate(one, 8192, &replica, nullptr); }},
      {"the endpoint", [&] { return vbn_replica_grant(nullptr, replica, &address, &key); }},
      {"the replica", [&] { return vbn_replica_grant(one, nullptr, &address, &key); }},
      {"the place for the address", [&] { return vbn_replica_grant(one, replica, nullptr, &key); }},
      {"the place for the key", [&] { return vbn_replica_grant(one, replica, &address, nullptr); }},
      {"the endpoint", [&] { return vbn_link_open_lane(nullptr, 1, 0, ring, 0, 0); }},
      {"the ring", [&] { return vbn_link_open_lane(one, 1, 0, nullptr, 0, 0); }},
      {"the endpoint", [&] { return vbn_endpoint_counters(nullptr, &counters); }},
      {"the place for the result", [&] { return vbn_endpoint_counters(one, nullptr); }},
      {"the place for the result", [&] { return vbn_devices_survey(nullptr, nullptr); }},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(each.call(), VBN_INVALID) << each.named;
    EXPECT_EQ(std::string(vbn_error()), std::string(each.named) + " is null");
  }
  vbn_ring_free(ring);
  vbn_replica_free(replica);
}

TEST_F(EndpointAbi, FunctionsWithoutAStatusDoNothingForNullAndSayWhy) {
  one = open(1);
  vbn_news news{};
  news.struct_bytes = sizeof news;
  vbn_arrival arrivals[1];
  struct Case {
    const char* named;
    std::function<void()> call;
  };
  const Case cases[] = {
      {"the endpoint", [] { EXPECT_EQ(vbn_endpoint_address(nullptr), nullptr); }},
      {"the endpoint", [] { EXPECT_EQ(vbn_endpoint_describe(nullptr, 0), nullptr); }},
      {"the endpoint", [] { EXPECT_EQ(vbn_endpoint_is_reachable(nullptr, 2), 0); }},
      {"the endpoint", [] { vbn_link_close(nullptr, 1, "why"); }},
      {"the endpoint", [&] { EXPECT_EQ(vbn_endpoint_news(nullptr, &news), -1); }},
      {"the place for the news", [&] { EXPECT_EQ(vbn_endpoint_news(one, nullptr), -1); }},
      {"the replica", [] { vbn_replica_revoke(nullptr); }},
      {"the endpoint", [] { vbn_link_place_lane(nullptr, 1, 0, 0, 0); }},
      {"the endpoint", [] { vbn_link_close_lane(nullptr, 1, 0); }},
      {"the endpoint", [] { EXPECT_EQ(vbn_link_pump(nullptr, 1), 0); }},
      {"the endpoint", [] { EXPECT_EQ(vbn_link_write(nullptr, 1, "x", 1), 0U); }},
      {"what is to be written", [&] { EXPECT_EQ(vbn_link_write(one, 1, nullptr, 1), 0U); }},
      {"the endpoint", [&] { EXPECT_EQ(vbn_endpoint_progress(nullptr, arrivals, 1), 0U); }},
      {"the place for the arrivals",
       [&] { EXPECT_EQ(vbn_endpoint_progress(one, nullptr, 1), 0U); }},
      {"the endpoint", [] { vbn_endpoint_arm(nullptr); }},
      {"the endpoint", [] { vbn_endpoint_wait(nullptr, 0); }},
      {"the endpoint", [] { vbn_endpoint_wake(nullptr); }},
  };
  for (const Case& each : cases) {
    ASSERT_NE(vbn_endpoint_open(nullptr, nullptr), VBN_OK);  // another text
    each.call();
    EXPECT_EQ(std::string(vbn_error()), std::string(each.named) + " is null");
  }
  vbn_endpoint_close(nullptr);
  vbn_ring_free(nullptr);
  vbn_replica_free(nullptr);
}

TEST_F(EndpointAbi, PlacesForResultsOfAnotherSizeAreRefused) {
  one = open(1);
  vbn_news news;
  std::memset(&news, 0x5a, sizeof news);
  for (size_t bytes : {size_t{0}, sizeof news - 8, sizeof news + 8}) {
    news.struct_bytes = static_cast<uint32_t>(bytes);
    EXPECT_EQ(vbn_endpoint_news(one, &news), -1) << bytes;
    EXPECT_EQ(std::string(vbn_error()), "vbn_news: struct_bytes is " + std::to_string(bytes) +
                                            "; in this library's version it has " +
                                            std::to_string(sizeof news));
  }
  EXPECT_EQ(news.kind, 0x5a5a5a5aU) << "nothing is written";
  vbn_counters counters;
  std::memset(&counters, 0x5a, sizeof counters);
  for (size_t bytes : {size_t{0}, size_t{3}, sizeof counters + 8}) {
    counters.struct_bytes = static_cast<uint32_t>(bytes);
    EXPECT_EQ(vbn_endpoint_counters(one, &counters), VBN_INVALID) << bytes;
    EXPECT_NE(std::string(vbn_error()).find("struct_bytes"), std::string::npos);
  }
  counters.struct_bytes = offsetof(vbn_counters, links_made);
  EXPECT_EQ(vbn_endpoint_counters(one, &counters), VBN_OK);
  EXPECT_EQ(counters.links_made, 0x5a5a5a5a5a5a5a5aU) << "there is no room for it";
}

TEST_F(EndpointAbi, NumbersOutOfRangeAreRefused) {
  one = open(1);
  vbn_ring* ring = nullptr;
  void* memory = nullptr;
  for (uint64_t bytes : {uint64_t{0}, uint64_t{4096}, uint64_t{4097 + 4096}}) {
    EXPECT_EQ(vbn_ring_allocate(one, bytes, &ring, &memory), VBN_INVALID) << bytes;
  }
  ASSERT_EQ(vbn_ring_allocate(one, 8192, &ring, &memory), VBN_OK);
  EXPECT_EQ(vbn_link_open_lane(one, 1, 65536, ring, 0, 0), VBN_INVALID);
  EXPECT_EQ(vbn_endpoint_dial(one, 65536, "127.0.0.1:7", 1), VBN_INVALID);
  EXPECT_EQ(vbn_endpoint_add_peer(one, 65536, "127.0.0.1:7"), VBN_INVALID);
  EXPECT_EQ(vbn_endpoint_remove_peer(one, 65536), VBN_INVALID);
  EXPECT_EQ(vbn_endpoint_is_reachable(one, 65536), 0);
  vbn_ring_free(ring);
}

TEST_F(EndpointAbi, APeerThatIsAddedIsFoundDialledAndForgottenWhenItIsRemoved) {
  one = open(1, 10'000'000);
  two = open(2);
  EXPECT_EQ(vbn_endpoint_is_reachable(one, 2), 0);
  ASSERT_EQ(vbn_endpoint_add_peer(one, 2, vbn_endpoint_address(two)), VBN_OK);
  EXPECT_TRUE(eventually([&] { return vbn_endpoint_is_reachable(one, 2) == 1; }));
  EXPECT_EQ(connectionsOf(two), 0U) << "it was only asked";
  ASSERT_EQ(vbn_endpoint_dial(one, 2, nullptr, 10'000'000'000), VBN_OK);
  EXPECT_TRUE(eventually([&] { return connectionsOf(one) == 1 && connectionsOf(two) == 1; }));
  ASSERT_EQ(vbn_endpoint_remove_peer(one, 2), VBN_OK);
  EXPECT_TRUE(eventually([&] { return connectionsOf(one) == 0 && connectionsOf(two) == 0; }));
  EXPECT_EQ(vbn_endpoint_is_reachable(one, 2), 0);
  ASSERT_EQ(vbn_endpoint_dial(one, 2, nullptr, UINT64_MAX), VBN_OK);
  vbn_news news{};
  news.struct_bytes = sizeof news;
  EXPECT_TRUE(eventually(
      [&] { return vbn_endpoint_news(one, &news) == 1 && news.kind == VBN_NEWS_DIAL_FAILED; }));
  EXPECT_EQ(std::string(news.text), "no address of node 2 is known; add it as a peer");
}

TEST_F(EndpointAbi, ALaneThatIsOpenIsNotOpenedAgain) {
  one = open(1);
  two = open(2);
  ASSERT_EQ(vbn_endpoint_dial(one, 2, vbn_endpoint_address(two), 10'000'000'000), VBN_OK);
  vbn_news news{};
  news.struct_bytes = sizeof news;
  ASSERT_TRUE(
      eventually([&] { return vbn_endpoint_news(one, &news) == 1 && news.kind == VBN_NEWS_UP; }));
  vbn_ring* ring = nullptr;
  void* memory = nullptr;
  ASSERT_EQ(vbn_ring_allocate(one, 8192, &ring, &memory), VBN_OK);
  ASSERT_EQ(vbn_link_open_lane(one, news.link, 0, ring, 0, 0), VBN_OK) << vbn_error();
  EXPECT_EQ(vbn_link_open_lane(one, news.link, 0, ring, 0, 0), VBN_FAILED);
  EXPECT_NE(std::string(vbn_error()).find("it is open"), std::string::npos) << vbn_error();
  EXPECT_EQ(vbn_link_open_lane(one, news.link, 0, ring, 0, 0), VBN_FAILED)
      << "the first is there still";
  vbn_link_close_lane(one, news.link, 0);
  EXPECT_EQ(vbn_link_open_lane(one, news.link, 0, ring, 0, 0), VBN_OK) << vbn_error();
  vbn_link_close_lane(one, news.link, 0);
  vbn_ring_free(ring);
}

}  // namespace
