// SPDX-License-Identifier: Apache-2.0
//
// Channels as a program in C has them, between two nodes of this process.
#include <gtest/gtest.h>

#include <poll.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "verbena/channel.h"

namespace {

constexpr uint64_t kPatienceNs = 120'000'000'000;
constexpr uint64_t kCapacity = 4096;
constexpr uint32_t kNumber = 7;

class ChannelAbi : public ::testing::Test {
 protected:
  ChannelAbi() : one(open(1, 4)), two(open(2, 4)) {
    EXPECT_EQ(vbn_fabric_add_peer(one, 2, vbn_fabric_address(two)), VBN_OK) << vbn_error();
    EXPECT_EQ(vbn_reader_open(two, kNumber, kCapacity, &reader), VBN_OK) << vbn_error();
    EXPECT_EQ(vbn_writer_open(one, 2, kNumber, kPatienceNs, &writer), VBN_OK) << vbn_error();
  }
  ~ChannelAbi() override {
    vbn_writer_free(writer);
    vbn_reader_free(reader);
    vbn_fabric_close(one);
    vbn_fabric_close(two);
  }

  vbn_fabric* open(uint32_t node, uint32_t channels, uint32_t structBytes = 0,
                   uint32_t deviceOnly = 0, uint32_t workers = 1) {
    vbn_fabric_options options{};
    options.workers = workers;
    options.struct_bytes = structBytes != 0 ? structBytes : sizeof options;
    options.node_id = node;
    options.device_only = deviceOnly;
    options.cluster = "channel-abi";
    options.listen = "127.0.0.1:0";
    options.device = &softnic;
    options.channels = channels;
    vbn_fabric* opened = nullptr;
    status = vbn_fabric_open(&options, &opened);
    return opened;
  }
  vbn_outcome push(const std::string& text, uint64_t timeoutNs = kPatienceNs) {
    return vbn_writer_push(writer, text.data(), text.size(), timeoutNs);
  }
  std::string peeked() {
    const void* message = nullptr;
    uint64_t bytes = 0;
    EXPECT_EQ(vbn_reader_peek(reader, kPatienceNs, &message, &bytes), VBN_CHANNEL_DONE);
    std::string text(static_cast<const char*>(message), bytes);
    vbn_reader_release(reader);
    return text;
  }
  std::string popped(uint64_t room) {
    std::string text(room, '?');
    uint64_t bytes = 0;
    EXPECT_EQ(vbn_reader_pop(reader, text.data(), room, kPatienceNs, &bytes), VBN_CHANNEL_DONE);
    text.resize(bytes);
    return text;
  }

  vbn_wishes softnic = {sizeof(vbn_wishes), 0, "softnic", -1, 0, -1, -1, 0, 0, nullptr};
  vbn_status status = VBN_OK;
  vbn_fabric* one = nullptr;
  vbn_fabric* two = nullptr;
  vbn_reader* reader = nullptr;
  vbn_writer* writer = nullptr;
};

TEST_F(ChannelAbi, CarriesMessagesInPlaceAndCopied) {
  void* at = nullptr;
  ASSERT_EQ(vbn_writer_claim(writer, 64, kPatienceNs, &at), VBN_CHANNEL_DONE);
  std::memcpy(at, "claimed", 7);
  ASSERT_EQ(vbn_writer_publish(writer, 7), VBN_CHANNEL_DONE);
  ASSERT_EQ(push("pushed"), VBN_CHANNEL_DONE);
  ASSERT_EQ(push(""), VBN_CHANNEL_DONE);
  EXPECT_EQ(vbn_writer_flush(writer, kPatienceNs), VBN_CHANNEL_DONE);
  EXPECT_EQ(peeked(), "claimed");
  uint64_t bytes = 0;
  ASSERT_EQ(vbn_reader_probe(reader, &bytes), VBN_CHANNEL_DONE);
  EXPECT_EQ(bytes, 6U);
  EXPECT_EQ(popped(100), "pushed");
  EXPECT_EQ(popped(0), "");
  const void* none = nullptr;
  EXPECT_EQ(vbn_reader_peek(reader, 0, &none, &bytes), VBN_CHANNEL_WOULD_BLOCK);
  EXPECT_EQ(vbn_reader_peer(reader), 1U);
  EXPECT_EQ(vbn_writer_peer(writer), 2U);
  EXPECT_EQ(vbn_writer_is_shared(writer), 1U);
  EXPECT_EQ(vbn_writer_released(writer), vbn_writer_published(writer));
  EXPECT_EQ(vbn_reader_released(reader), vbn_writer_published(writer));
}

/// One of both is enough, whichever it is.
TEST_F(ChannelAbi, GoByTheDeviceAloneWhereOneSideWishesThat) {
  vbn_fabric* three = open(3, 4, 0, 1);
  ASSERT_EQ(status, VBN_OK) << vbn_error();
  EXPECT_EQ(vbn_fabric_add_peer(three, 2, vbn_fabric_address(two)), VBN_OK) << vbn_error();
  for (bool reads : {false, true}) {
    vbn_fabric* from = reads ? two : three;
    vbn_fabric* to = reads ? three : two;
    vbn_reader* far = nullptr;
    vbn_writer* near = nullptr;
    ASSERT_EQ(vbn_reader_open(to, kNumber + 1, kCapacity, &far), VBN_OK) << vbn_error();
    ASSERT_EQ(vbn_writer_open(from, reads ? 3 : 2, kNumber + 1, kPatienceNs, &near), VBN_OK)
        << vbn_error();
    EXPECT_EQ(vbn_writer_is_shared(near), 0U) << reads;
    EXPECT_EQ(vbn_writer_push(near, "by the device", 13, kPatienceNs), VBN_CHANNEL_DONE);
    std::array<char, 64> into{};
    uint64_t bytes = 0;
    EXPECT_EQ(vbn_reader_pop(far, into.data(), into.size(), kPatienceNs, &bytes), VBN_CHANNEL_DONE);
    EXPECT_EQ(std::string(into.data(), bytes), "by the device");
    vbn_writer_free(near);
    vbn_reader_free(far);
  }
  vbn_fabric_close(three);
}

TEST_F(ChannelAbi, MessagesLieInTheirRings) {
  uint64_t bytes = 0;
  auto* toWrite = static_cast<const std::byte*>(vbn_writer_ring(writer, &bytes));
  EXPECT_EQ(bytes, kCapacity);
  auto* toRead = static_cast<const std::byte*>(vbn_reader_ring(reader, &bytes));
  EXPECT_EQ(bytes, kCapacity);
  for (int i = 0; i < 20; i++) {
    void* at = nullptr;
    ASSERT_EQ(vbn_writer_claim(writer, 1000, kPatienceNs, &at), VBN_CHANNEL_DONE);
    auto offset = static_cast<std::byte*>(at) - toWrite;
    EXPECT_GE(offset, 0);
    EXPECT_LE(static_cast<uint64_t>(offset) + 1000, kCapacity);
    ASSERT_EQ(vbn_writer_publish(writer, 1000), VBN_CHANNEL_DONE);
    const void* message = nullptr;
    ASSERT_EQ(vbn_reader_peek(reader, kPatienceNs, &message, &bytes), VBN_CHANNEL_DONE);
    EXPECT_EQ(static_cast<const std::byte*>(message) - toRead, offset);
    vbn_reader_release(reader);
    vbn_reader_tell(reader);
  }
  EXPECT_EQ(vbn_writer_released(writer), vbn_writer_published(writer));
  EXPECT_EQ(vbn_reader_ring(nullptr, &bytes), nullptr);
  EXPECT_EQ(vbn_writer_ring(writer, nullptr), nullptr);
  vbn_reader_tell(nullptr);
}

TEST_F(ChannelAbi, LargeMessagesGoOnWhereTheyStopped) {
  std::string large(3 * kCapacity, '\0');
  for (size_t i = 0; i < large.size(); i++) large[i] = static_cast<char>(i * 7 + i / 256);
  ASSERT_EQ(push(large, 0), VBN_CHANNEL_WOULD_BLOCK);
  ASSERT_EQ(push(large, 1'000'000), VBN_CHANNEL_WOULD_BLOCK);
  void* at = nullptr;
  EXPECT_EQ(vbn_writer_claim(writer, 8, 0, &at), VBN_CHANNEL_FAILED);
  EXPECT_NE(std::string(vbn_error()).find("12288 bytes is written in part"), std::string::npos)
      << vbn_error();
  EXPECT_EQ(vbn_writer_publish(writer, 0), VBN_CHANNEL_FAILED);
  EXPECT_EQ(vbn_writer_close(writer, 0), VBN_CHANNEL_FAILED);
  EXPECT_EQ(push("another one", 0), VBN_CHANNEL_FAILED);
  uint64_t bytes = 0;
  ASSERT_EQ(vbn_reader_probe(reader, &bytes), VBN_CHANNEL_DONE);
  EXPECT_EQ(bytes, large.size());
  const void* none = nullptr;
  EXPECT_EQ(vbn_reader_peek(reader, 0, &none, &bytes), VBN_CHANNEL_TOO_LARGE);
  std::string into(large.size(), '?');
  EXPECT_EQ(vbn_reader_pop(reader, into.data(), 100, 0, &bytes), VBN_CHANNEL_TOO_LARGE);
  ASSERT_EQ(vbn_reader_pop(reader, into.data(), into.size(), 0, &bytes), VBN_CHANNEL_WOULD_BLOCK);
  std::thread rest([&] { EXPECT_EQ(push(large), VBN_CHANNEL_DONE); });
  EXPECT_EQ(vbn_reader_pop(reader, into.data(), into.size(), kPatienceNs, &bytes),
            VBN_CHANNEL_DONE);
  rest.join();
  EXPECT_EQ(bytes, large.size());
  EXPECT_EQ(into, large);
}

TEST_F(ChannelAbi, TellsTheEndOfAStreamFromALoss) {
  ASSERT_EQ(push("last"), VBN_CHANNEL_DONE);
  ASSERT_EQ(vbn_writer_close(writer, kPatienceNs), VBN_CHANNEL_DONE);
  EXPECT_EQ(peeked(), "last");
  uint64_t bytes = 0;
  const void* none = nullptr;
  EXPECT_EQ(vbn_reader_peek(reader, kPatienceNs, &none, &bytes), VBN_CHANNEL_ENDED);

  vbn_reader* second = nullptr;
  vbn_writer* gone = nullptr;
  ASSERT_EQ(vbn_reader_open(two, kNumber + 1, kCapacity, &second), VBN_OK) << vbn_error();
  ASSERT_EQ(vbn_writer_open(one, 2, kNumber + 1, kPatienceNs, &gone), VBN_OK) << vbn_error();
  vbn_writer_free(gone);
  EXPECT_EQ(vbn_reader_peek(second, kPatienceNs, &none, &bytes), VBN_CHANNEL_LOST);
  char why[200];
  vbn_reader_lost_because(second, why, sizeof why);
  EXPECT_STRNE(why, "");
  vbn_reader_free(second);
}

/// A thread sleeps at the end of a channel, another one waits for whatever the node has.
TEST_F(ChannelAbi, OtherThreadsWaitBesideAnEnd) {
  constexpr int kMessages = 300;
  std::thread waiting([&] {
    for (int i = 0; i < kMessages; i++) {
      vbn_done none;
      vbn_fabric_arm(two);
      vbn_fabric_poll(two, &none, 1);
      vbn_fabric_wait(two, 1'000'000);
    }
  });
  std::thread reading([&] {
    for (int i = 0; i < kMessages; i++) EXPECT_EQ(peeked(), std::to_string(i));
  });
  for (int i = 0; i < kMessages; i++) ASSERT_EQ(push(std::to_string(i)), VBN_CHANNEL_DONE);
  reading.join();
  waiting.join();
}

bool isReadable(int descriptor, int patienceMs) {
  pollfd waits{descriptor, POLLIN, 0};
  return poll(&waits, 1, patienceMs) == 1;
}

TEST_F(ChannelAbi, AnEventLoopWaitsForThoseOfItsWorker) {
  constexpr uint32_t kWorker = 1;
  constexpr uint32_t kOther = kNumber + 1;
  vbn_fabric* three = open(3, 4, 0, 0, 2);
  vbn_reader* its = nullptr;
  vbn_writer* to = nullptr;
  ASSERT_EQ(vbn_worker_reader_open(three, kWorker, kOther, kCapacity, &its), VBN_OK);
  ASSERT_EQ(vbn_fabric_add_peer(one, 3, vbn_fabric_address(three)), VBN_OK);
  vbn_opening* opening = nullptr;
  ASSERT_EQ(vbn_worker_writer_begin(one, 0, 3, kOther, kPatienceNs, 0, &opening), VBN_OK)
      << vbn_error();
  vbn_outcome tried = VBN_CHANNEL_WOULD_BLOCK;
  while ((tried = vbn_opening_try(opening, &to)) == VBN_CHANNEL_WOULD_BLOCK) {
  }
  ASSERT_EQ(tried, VBN_CHANNEL_DONE) << vbn_error();
  vbn_opening_free(opening);
  std::array<char, 100> way{};
  EXPECT_EQ(vbn_writer_way(to, way.data(), way.size()), 1);
  EXPECT_STREQ(way.data(), "mapped memory");
  EXPECT_EQ(vbn_reader_way(its, nullptr, 0), 1);
  int descriptor = vbn_worker_descriptor(three, kWorker);
  for (int round = 0; round < 3; round++) {
    ASSERT_EQ(vbn_worker_arm_channels(three, kWorker, &its, 1, nullptr, 0), VBN_OK) << vbn_error();
    const void* message = nullptr;
    uint64_t bytes = 0;
    EXPECT_EQ(vbn_reader_peek(its, 0, &message, &bytes), VBN_CHANNEL_WOULD_BLOCK);
    void* at = nullptr;
    ASSERT_EQ(vbn_writer_claim(to, 3, 0, &at), VBN_CHANNEL_DONE);
    std::memcpy(at, "one", 3);
    EXPECT_EQ(vbn_writer_try_publish(to, 3), VBN_CHANNEL_DONE);
    EXPECT_EQ(vbn_writer_nudge(to), VBN_CHANNEL_DONE);
    EXPECT_TRUE(isReadable(descriptor, 120'000));
    ASSERT_EQ(vbn_worker_disarm_channels(three, kWorker, &its, 1, nullptr, 0), VBN_OK);
    ASSERT_EQ(vbn_reader_peek(its, 0, &message, &bytes), VBN_CHANNEL_DONE);
    EXPECT_EQ(std::string(static_cast<const char*>(message), bytes), "one");
    vbn_reader_release(its);
    EXPECT_EQ(vbn_reader_nudge(its), VBN_CHANNEL_DONE);
  }
  EXPECT_EQ(vbn_worker_arm_channels(three, 0, &its, 1, nullptr, 0), VBN_INVALID);
  EXPECT_NE(std::strstr(vbn_error(), "end 0, readers first, of 1 is not one of worker 0"), nullptr)
      << vbn_error();
  EXPECT_EQ(vbn_worker_arm_channels(three, kWorker, nullptr, 1, nullptr, 0), VBN_INVALID);
  EXPECT_EQ(vbn_worker_reader_open(three, 2, kOther, kCapacity, &its), VBN_INVALID);
  ASSERT_EQ(vbn_worker_writer_begin(one, 0, 3, kOther + 1, 1, 0, &opening), VBN_OK);
  while ((tried = vbn_opening_try(opening, &to)) == VBN_CHANNEL_WOULD_BLOCK) {
  }
  EXPECT_EQ(tried, VBN_CHANNEL_FAILED) << "nobody reads it";
  EXPECT_EQ(vbn_opening_try(opening, &to), VBN_CHANNEL_FAILED) << "behind its last word";
  vbn_opening_free(opening);
  vbn_writer_free(to);
  vbn_reader_free(its);
  vbn_fabric_close(three);
}

TEST_F(ChannelAbi, RefusesWithASentence) {
  vbn_reader* none = nullptr;
  EXPECT_EQ(vbn_reader_open(two, 16'384, kCapacity, &none), VBN_INVALID);
  EXPECT_NE(std::string(vbn_error()).find("16384; it may be 0 to 16383"), std::string::npos);
  EXPECT_EQ(vbn_reader_open(two, 8, 5000, &none), VBN_FAILED);
  EXPECT_STREQ(vbn_error(),
               "cannot read channel 8: EINVAL; a ring of 5000 bytes: its size is a "
               "power of two from 4096 to 2147483648");
  EXPECT_EQ(vbn_reader_open(nullptr, 8, kCapacity, &none), VBN_INVALID);
  vbn_writer* other = nullptr;
  EXPECT_EQ(vbn_writer_open(one, 2, kNumber, 0, &other), VBN_FAILED);
  EXPECT_STREQ(vbn_error(),
               "cannot write to channel 7: EADDRINUSE; this node writes to it "
               "already: use that writer, or free it first");
  EXPECT_EQ(vbn_writer_open(one, 0x8000'0000, kNumber, 0, &other), VBN_INVALID);
  void* at = nullptr;
  EXPECT_EQ(vbn_writer_claim(writer, UINT64_MAX, 0, &at), VBN_CHANNEL_TOO_LARGE);
  EXPECT_EQ(vbn_writer_publish(writer, 1), VBN_CHANNEL_FAILED) << "nothing is claimed";
  EXPECT_EQ(vbn_writer_push(writer, nullptr, 1, 0), VBN_CHANNEL_FAILED);
  EXPECT_EQ(vbn_reader_pop(reader, nullptr, 1, 0, nullptr), VBN_CHANNEL_FAILED);
  EXPECT_EQ(vbn_reader_peek(nullptr, 0, nullptr, nullptr), VBN_CHANNEL_FAILED);
  vbn_reader_release(reader);  // nothing was peeked
  vbn_reader_free(nullptr);
  vbn_writer_free(nullptr);
  EXPECT_EQ(push("all is well"), VBN_CHANNEL_DONE);
  EXPECT_EQ(peeked(), "all is well");
}

/// Whichever way the messages go.
TEST_F(ChannelAbi, EndsMayBeFreedAfterTheirFabric) {
  for (uint32_t deviceOnly : {0U, 1U}) {
    vbn_fabric* from = open(3, 4, 0, deviceOnly);
    vbn_fabric* to = open(4, 4, 0, deviceOnly);
    EXPECT_EQ(vbn_fabric_add_peer(from, 4, vbn_fabric_address(to)), VBN_OK) << vbn_error();
    vbn_reader* far = nullptr;
    vbn_writer* near = nullptr;
    ASSERT_EQ(vbn_reader_open(to, kNumber, kCapacity, &far), VBN_OK) << vbn_error();
    ASSERT_EQ(vbn_writer_open(from, 4, kNumber, kPatienceNs, &near), VBN_OK) << vbn_error();
    ASSERT_EQ(vbn_writer_push(near, "last", 4, kPatienceNs), VBN_CHANNEL_DONE);
    ASSERT_EQ(vbn_writer_flush(near, kPatienceNs), VBN_CHANNEL_DONE);
    vbn_fabric_close(from);
    void* at = nullptr;
    EXPECT_EQ(vbn_writer_claim(near, 8, kPatienceNs, &at), VBN_CHANNEL_FAILED);
    EXPECT_STREQ(vbn_error(),
                 "the fabric of the writer was closed; nothing is left to do but to "
                 "free");
    EXPECT_EQ(vbn_writer_publish(near, 0), VBN_CHANNEL_FAILED);
    EXPECT_EQ(vbn_writer_push(near, "more", 4, kPatienceNs), VBN_CHANNEL_FAILED);
    EXPECT_EQ(vbn_writer_flush(near, kPatienceNs), VBN_CHANNEL_FAILED);
    EXPECT_EQ(vbn_writer_close(near, kPatienceNs), VBN_CHANNEL_FAILED);
    uint64_t bytes = 7;
    EXPECT_EQ(vbn_writer_ring(near, &bytes), nullptr);
    EXPECT_EQ(vbn_writer_released(near), 0U);
    char why[64] = "";
    vbn_writer_lost_because(near, why, sizeof why);
    EXPECT_STREQ(why, "its fabric was closed");
    vbn_writer_free(near);

    const void* message = nullptr;
    ASSERT_EQ(vbn_reader_peek(far, kPatienceNs, &message, &bytes), VBN_CHANNEL_DONE);
    EXPECT_EQ(bytes, 4U) << "what was written is read";
    vbn_reader_release(far);
    EXPECT_EQ(vbn_reader_peek(far, kPatienceNs, &message, &bytes), VBN_CHANNEL_LOST);
    vbn_fabric_close(to);
    EXPECT_EQ(vbn_reader_peek(far, kPatienceNs, &message, &bytes), VBN_CHANNEL_FAILED);
    EXPECT_EQ(vbn_reader_probe(far, &bytes), VBN_CHANNEL_FAILED);
    EXPECT_EQ(vbn_reader_drop(far, &bytes), VBN_CHANNEL_FAILED);
    vbn_reader_release(far);
    vbn_reader_tell(far);
    EXPECT_EQ(vbn_reader_ring(far, &bytes), nullptr);
    vbn_reader_lost_because(far, why, sizeof why);
    EXPECT_STREQ(why, "its fabric was closed");
    vbn_reader_free(far);
  }
}

TEST_F(ChannelAbi, ProgramsBuiltBeforeThereWereChannelsHaveNone) {
  vbn_fabric* old = open(3, 4, offsetof(vbn_fabric_options, channels));
  ASSERT_NE(old, nullptr) << vbn_error();
  vbn_reader* none = nullptr;
  EXPECT_EQ(vbn_reader_open(old, 1, kCapacity, &none), VBN_INVALID);
  EXPECT_NE(std::string(vbn_error()).find("without channels"), std::string::npos);
  vbn_fabric_close(old);
  EXPECT_EQ(open(4, UINT32_MAX), nullptr);
}

/// Processor time of this thread.
uint64_t busyNs() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

/// What the first waits of nodes cost, for a message that does not come: the least, and the most.
/// Later ones look less, since that was in vain.
std::pair<uint64_t, uint64_t> costOfFirstWaits(const vbn_wishes& device, uint32_t sleepsAtOnce) {
  std::pair<uint64_t, uint64_t> cost(UINT64_MAX, 0);
  for (int node = 0; node < 8; node++) {
    vbn_fabric_options options{};
    options.struct_bytes = sizeof options;
    options.node_id = 3;
    options.cluster = "channel-abi-waits";
    options.listen = "127.0.0.1:0";
    options.device = &device;
    options.channels = 1;
    options.sleeps_at_once = sleepsAtOnce;
    vbn_fabric* fabric = nullptr;
    vbn_reader* reader = nullptr;
    EXPECT_EQ(vbn_fabric_open(&options, &fabric), VBN_OK) << vbn_error();
    EXPECT_EQ(vbn_reader_open(fabric, kNumber, kCapacity, &reader), VBN_OK) << vbn_error();
    uint64_t bytes = 0;
    uint64_t before = busyNs();
    EXPECT_EQ(vbn_reader_pop(reader, &bytes, 8, 1'000'000, &bytes), VBN_CHANNEL_WOULD_BLOCK);
    uint64_t took = busyNs() - before;
    cost = {std::min(cost.first, took), std::max(cost.second, took)};
    vbn_reader_free(reader);
    vbn_fabric_close(fabric);
  }
  return cost;
}

TEST_F(ChannelAbi, WaitsLookBusilyUnlessTheNodeSleepsAtOnce) {
  // One that looks busily does so for 100 us, unless others want the processor all the time.
  uint64_t leastAsleep = costOfFirstWaits(softnic, 1).first;
  uint64_t mostBusily = costOfFirstWaits(softnic, 0).second;
  RecordProperty("least_asleep_ns", std::to_string(leastAsleep));
  RecordProperty("most_busily_ns", std::to_string(mostBusily));
  EXPECT_LT(leastAsleep + leastAsleep / 2, mostBusily);
}

}  // namespace
