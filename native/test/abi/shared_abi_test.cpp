// SPDX-License-Identifier: Apache-2.0
//
// One-sided memory beside the lanes of an endpoint: one node, one device, one session with a peer.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "verbena/channel.h"

namespace {

constexpr uint64_t kPatienceNs = 120'000'000'000;
constexpr uint64_t kBytes = 4096;

bool eventually(const std::function<bool()>& holds) {
  auto end = std::chrono::steady_clock::now() + std::chrono::nanoseconds(kPatienceNs);
  while (std::chrono::steady_clock::now() < end) {
    if (holds()) return true;
    std::this_thread::yield();
  }
  return false;
}

/// An endpoint with room for a fabric, and the thread that does its rounds and sleeps between them.
class Side {
 public:
  explicit Side(uint32_t node) {
    vbn_wishes softnic = {sizeof(vbn_wishes), 0, "softnic", -1, 0, -1, -1, 0, 0, nullptr};
    vbn_fabric_options wished{};
    wished.struct_bytes = sizeof wished;
    wished.max_links = 8;
    wished.channels = 4;
    vbn_endpoint_options options{};
    options.struct_bytes = sizeof options;
    options.node_id = node;
    options.incarnation = 77 + node;
    options.cluster = "shared";
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
    options.heartbeat_ns = 500'000'000;
    options.dead_after_ns = 60'000'000'000;
    options.fabric = &wished;
    EXPECT_EQ(vbn_endpoint_open(&options, &endpoint), VBN_OK) << vbn_error();
    EXPECT_EQ(vbn_endpoint_fabric(endpoint, &fabric), VBN_OK) << vbn_error();
    loop = std::jthread([this](const std::stop_token& stop) { doRounds(stop); });
  }
  ~Side() { close(); }

  void closeFabric() { vbn_fabric_close(std::exchange(fabric, nullptr)); }
  void close() {
    closeFabric();
    if (loop.joinable()) {
      loop.request_stop();
      vbn_endpoint_wake(endpoint);
      loop.join();
    }
    vbn_endpoint_close(std::exchange(endpoint, nullptr));
  }

  vbn_endpoint* endpoint = nullptr;
  vbn_fabric* fabric = nullptr;
  std::atomic<uint64_t> lanes{0};   // the link, while it is up
  std::atomic<uint32_t> others{0};  // news of links that are no lanes'
  std::atomic<uint64_t> bytes{0};   // that have arrived

 private:
  void doRounds(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      vbn_endpoint_arm(endpoint);
      if (round() == 0 && !stop.stop_requested()) vbn_endpoint_wait(endpoint, kPatienceNs);
    }
  }
  uint64_t round() {
    vbn_arrival arrivals[8];
    uint64_t outcome = vbn_endpoint_progress(endpoint, arrivals, 8);
    for (uint32_t i = 0; i < static_cast<uint32_t>(outcome); i++) bytes += arrivals[i].bytes;
    vbn_news news{};
    news.struct_bytes = sizeof news;
    while (vbn_endpoint_news(endpoint, &news) == 1) hear(news);
    return outcome;
  }
  void hear(const vbn_news& news) {
    if (news.kind != VBN_NEWS_GONE && news.service != VBN_SERVICE_LANES) others++;
    if (news.kind == VBN_NEWS_UP) lanes = news.link;
    if (news.kind == VBN_NEWS_DOWN) lanes = 0;
  }

  std::jthread loop;
};

class SharedAbi : public ::testing::Test {
 protected:
  SharedAbi() {
    EXPECT_EQ(vbn_endpoint_dial(one->endpoint, 2, vbn_endpoint_address(two->endpoint), kPatienceNs),
              VBN_OK);
    EXPECT_TRUE(eventually([&] { return one->lanes != 0 && two->lanes != 0; }));
  }
  ~SharedAbi() override {
    vbn_remote_free(remote);
    vbn_region_free(here);
    vbn_region_free(there);
  }

  uint64_t link() {
    uint64_t found = 0;
    EXPECT_EQ(vbn_fabric_link(one->fabric, 2, kPatienceNs, &found), VBN_OK) << vbn_error();
    return found;
  }
  void share() {
    ASSERT_EQ(vbn_region_allocate(one->fabric, kBytes, &here), VBN_OK) << vbn_error();
    ASSERT_EQ(vbn_region_allocate(two->fabric, kBytes, &there), VBN_OK) << vbn_error();
    uint8_t key[VBN_KEY_BYTES];
    ASSERT_EQ(vbn_region_share(there, 0, kBytes, VBN_REMOTE_PUT, key), VBN_OK) << vbn_error();
    ASSERT_EQ(vbn_remote_open(key, sizeof key, &remote), VBN_OK);
  }
  vbn_status put(uint64_t link) {
    vbn_operation put{};
    put.local = here;
    put.remote = remote;
    put.length = 8;
    uint32_t posted = 0;
    vbn_status status = vbn_fabric_post(one->fabric, link, &put, 1, &posted);
    vbn_done done{};
    EXPECT_TRUE(status != VBN_OK ||
                eventually([&] { return vbn_fabric_poll(one->fabric, &done, 1) == 1; }));
    return status == VBN_OK && done.outcome == VBN_OUTCOME_DONE ? VBN_OK : VBN_FAILED;
  }
  static char& byteOf(vbn_region* region) { return *static_cast<char*>(vbn_region_memory(region)); }
  /// Bytes of a lane's link get from one to the other.
  bool lanesWork() {
    uint64_t before = two->bytes;
    EXPECT_EQ(vbn_link_write(one->endpoint, one->lanes, "word", 4), 4U);
    vbn_link_pump(one->endpoint, one->lanes);
    return eventually([&] { return two->bytes == before + 4; });
  }

  std::unique_ptr<Side> one = std::make_unique<Side>(1);
  std::unique_ptr<Side> two = std::make_unique<Side>(2);
  vbn_region* here = nullptr;
  vbn_region* there = nullptr;
  vbn_remote* remote = nullptr;
};

TEST_F(SharedAbi, ASessionCarriesLanesAndMemory) {
  share();
  uint64_t memory = link();
  EXPECT_NE(memory, one->lanes);
  byteOf(here) = 'x';
  EXPECT_EQ(put(memory), VBN_OK);
  EXPECT_EQ(byteOf(there), 'x');
  EXPECT_TRUE(lanesWork());
  EXPECT_STREQ(vbn_fabric_address(one->fabric), vbn_endpoint_address(one->endpoint));
  vbn_fabric* second = nullptr;
  EXPECT_EQ(vbn_endpoint_fabric(one->endpoint, &second), VBN_FAILED);
}

TEST_F(SharedAbi, NewsGoToWhoseLinkItIs) {
  uint64_t memory = link();
  vbn_news news{};
  news.struct_bytes = sizeof news;
  ASSERT_TRUE(eventually([&] { return vbn_fabric_news(one->fabric, &news) == 1; }));
  EXPECT_EQ(news.kind, VBN_NEWS_UP);
  EXPECT_EQ(news.link, memory);
  EXPECT_EQ(news.service, VBN_SERVICE_MEMORY);
  EXPECT_EQ(one->others, 0U);
  EXPECT_NE(one->lanes, memory);
}

/// The polling thread takes what arrives for lanes as well, while the endpoint's own one sleeps.
TEST_F(SharedAbi, WhoPollsMemoryTakesNothingFromLanes) {
  std::jthread polling([&](const std::stop_token& stop) {
    vbn_done none{};
    while (!stop.stop_requested()) vbn_fabric_poll(two->fabric, &none, 1);
  });
  for (int i = 0; i < 200; i++) ASSERT_TRUE(lanesWork()) << i;
}

/// Either thread may be the one that sleeps in the device's name.
TEST_F(SharedAbi, BothMaySleep) {
  std::jthread waiting([&](const std::stop_token& stop) {
    vbn_signal none{};
    while (!stop.stop_requested()) {
      vbn_fabric_arm(two->fabric);
      vbn_fabric_signals(two->fabric, &none, 1);
      if (!stop.stop_requested()) vbn_fabric_wait(two->fabric, kPatienceNs);
    }
  });
  for (int i = 0; i < 200; i++) ASSERT_TRUE(lanesWork()) << i;
  waiting.request_stop();
  ASSERT_TRUE(eventually([&] {
    vbn_fabric_wake(two->fabric);
    return lanesWork();
  }));
  vbn_fabric_wake(two->fabric);
}

TEST_F(SharedAbi, LanesOutliveTheFabric) {
  share();
  uint64_t memory = link();
  EXPECT_EQ(put(memory), VBN_OK);
  two->closeFabric();
  EXPECT_TRUE(eventually([&] { return vbn_fabric_find(one->fabric, 2) == 0; }));
  EXPECT_EQ(put(memory), VBN_FAILED);
  uint64_t none = 0;
  EXPECT_EQ(vbn_fabric_link(one->fabric, 2, kPatienceNs, &none), VBN_FAILED);
  EXPECT_NE(std::string(vbn_error()).find("its fabric is closed"), std::string::npos)
      << vbn_error();
  EXPECT_TRUE(lanesWork());
  one->closeFabric();
  EXPECT_TRUE(lanesWork());
}

TEST_F(SharedAbi, EndsMayBeFreedAfterTheFabricAndTheEndpoint) {
  vbn_reader* reader = nullptr;
  vbn_writer* writer = nullptr;
  ASSERT_EQ(vbn_reader_open(two->fabric, 7, kBytes, &reader), VBN_OK) << vbn_error();
  ASSERT_EQ(vbn_writer_open(one->fabric, 2, 7, kPatienceNs, &writer), VBN_OK) << vbn_error();
  ASSERT_EQ(vbn_writer_push(writer, "last", 4, kPatienceNs), VBN_CHANNEL_DONE);
  one->closeFabric();
  EXPECT_EQ(vbn_writer_push(writer, "more", 4, kPatienceNs), VBN_CHANNEL_FAILED);
  EXPECT_TRUE(lanesWork());
  one->close();
  vbn_writer_free(writer);
  two->close();
  vbn_reader_free(reader);
}

TEST_F(SharedAbi, AFabricOfItsOwnIsAPeer) {
  vbn_wishes softnic = {sizeof(vbn_wishes), 0, "softnic", -1, 0, -1, -1, 0, 0, nullptr};
  vbn_fabric_options options{};
  options.struct_bytes = sizeof options;
  options.node_id = 3;
  options.cluster = "shared";
  options.listen = "127.0.0.1:0";
  options.device = &softnic;
  vbn_fabric* three = nullptr;
  ASSERT_EQ(vbn_fabric_open(&options, &three), VBN_OK) << vbn_error();
  ASSERT_EQ(vbn_fabric_add_peer(three, 2, vbn_endpoint_address(two->endpoint)), VBN_OK);
  uint64_t found = 0;
  EXPECT_EQ(vbn_fabric_link(three, 2, kPatienceNs, &found), VBN_OK) << vbn_error();
  uint64_t links[4];
  ASSERT_TRUE(eventually([&] { return vbn_fabric_links(two->fabric, links, 4) == 1; }));
  vbn_link_counters counters{};
  counters.struct_bytes = sizeof counters;
  ASSERT_EQ(vbn_fabric_link_counters(two->fabric, links[0], &counters), VBN_OK);
  EXPECT_EQ(counters.peer, 3U);
  vbn_fabric_close(three);
}

TEST_F(SharedAbi, WhoConnectsIsSentAwayBeforeTheClose) {
  ASSERT_EQ(vbn_fabric_add_peer(one->fabric, 9, "127.0.0.1:9"), VBN_OK);
  std::string why;
  std::jthread connecting([&] {
    uint64_t none = 0;
    EXPECT_EQ(vbn_fabric_link(one->fabric, 9, kPatienceNs, &none), VBN_FAILED);
    why = vbn_error();
  });
  vbn_fabric_stop(one->fabric);
  connecting.join();
  EXPECT_NE(why.find("about to close"), std::string::npos) << why;
  EXPECT_TRUE(lanesWork());
}

TEST(EndpointWithoutFabric, SaysSo) {
  vbn_endpoint* none = nullptr;
  vbn_fabric* fabric = nullptr;
  EXPECT_EQ(vbn_endpoint_fabric(none, &fabric), VBN_INVALID);
}

}  // namespace
