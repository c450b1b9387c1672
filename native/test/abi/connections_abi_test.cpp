// SPDX-License-Identifier: Apache-2.0
//
// Connections as a program in C has them, between two nodes of this process that nobody numbers.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>

#include "verbena/channel.h"

namespace {

constexpr uint64_t kPatienceNs = 120'000'000'000;
constexpr uint64_t kRing = 4096;

/// One process's side.
struct Party {
  Party() {
    vbn_wishes softnic = {sizeof(vbn_wishes), 0, "softnic", -1, 0, -1, -1, 0, 0, nullptr};
    vbn_fabric_options options{};
    options.struct_bytes = sizeof options;
    options.node_id = VBN_ANY_NODE;
    options.listen = "127.0.0.1:0";
    options.device = &softnic;
    options.channels = 4;
    EXPECT_EQ(vbn_fabric_open(&options, &fabric), VBN_OK) << vbn_error();
    EXPECT_EQ(vbn_connections_open(fabric, kRing, &connections), VBN_OK) << vbn_error();
  }
  ~Party() {
    vbn_connections_free(connections);
    vbn_fabric_close(fabric);
  }

  vbn_fabric* fabric = nullptr;
  vbn_connections* connections = nullptr;
};

struct Ends {
  ~Ends() {
    vbn_writer_free(writer);
    vbn_reader_free(reader);
  }
  void say(const std::string& text) const {
    EXPECT_EQ(vbn_writer_push(writer, text.data(), text.size(), kPatienceNs), VBN_CHANNEL_DONE);
  }
  std::string hear() const {
    std::array<char, 64> into{};
    uint64_t bytes = 0;
    vbn_outcome got = vbn_reader_pop(reader, into.data(), into.size(), kPatienceNs, &bytes);
    return got == VBN_CHANNEL_DONE ? std::string(into.data(), bytes)
                                   : "outcome " + std::to_string(got);
  }

  vbn_reader* reader = nullptr;
  vbn_writer* writer = nullptr;
};

TEST(ConnectionsAbi, ConnectAndAccept) {
  Party server;
  Party client;
  ASSERT_EQ(vbn_connections_listen(server.connections, 2), VBN_OK) << vbn_error();
  Ends here;
  Ends there;
  EXPECT_EQ(vbn_connections_accept(server.connections, 0, &there.reader, &there.writer),
            VBN_CHANNEL_WOULD_BLOCK);
  EXPECT_EQ(there.reader, nullptr);
  std::thread accepts([&] {
    EXPECT_EQ(vbn_connections_accept(server.connections, kPatienceNs, &there.reader, &there.writer),
              VBN_CHANNEL_DONE);
  });
  EXPECT_EQ(vbn_connections_connect(client.connections, vbn_fabric_address(server.fabric),
                                    kPatienceNs, &here.reader, &here.writer),
            VBN_OK)
      << vbn_error();
  accepts.join();
  EXPECT_GT(vbn_reader_peer(here.reader), 65'535U);
  here.say("there");
  EXPECT_EQ(there.hear(), "there");
  there.say("and back");
  EXPECT_EQ(here.hear(), "and back");
  EXPECT_EQ(vbn_writer_close(here.writer, kPatienceNs), VBN_CHANNEL_DONE);
  EXPECT_EQ(there.hear(), "outcome 2");
}

TEST(ConnectionsAbi, RefuseWithASentence) {
  Party client;
  Ends none;
  EXPECT_EQ(vbn_connections_connect(client.connections, "127.0.0.1:1", kPatienceNs, &none.reader,
                                    &none.writer),
            VBN_FAILED);
  EXPECT_NE(std::string(vbn_error()).find("nothing listens at 127.0.0.1:1"), std::string::npos)
      << vbn_error();
  EXPECT_EQ(vbn_connections_connect(client.connections, vbn_fabric_address(client.fabric),
                                    kPatienceNs, &none.reader, &none.writer),
            VBN_INVALID);
  EXPECT_NE(std::string(vbn_error()).find("it is this node itself"), std::string::npos)
      << vbn_error();
  EXPECT_EQ(vbn_connections_connect(client.connections, nullptr, 0, &none.reader, &none.writer),
            VBN_INVALID);
  EXPECT_EQ(vbn_connections_accept(client.connections, 0, nullptr, &none.writer),
            VBN_CHANNEL_FAILED);
  vbn_connections* odd = nullptr;
  EXPECT_EQ(vbn_connections_open(client.fabric, kRing, &odd), VBN_FAILED);
  EXPECT_NE(std::string(vbn_error()).find("have connections already"), std::string::npos);
  vbn_connections_free(client.connections);
  client.connections = nullptr;
  EXPECT_EQ(vbn_connections_open(client.fabric, 5'000, &odd), VBN_FAILED);
  EXPECT_NE(std::string(vbn_error()).find("5000"), std::string::npos) << vbn_error();
  ASSERT_EQ(vbn_connections_open(client.fabric, kRing, &client.connections), VBN_OK);
  EXPECT_EQ(vbn_connections_listen(client.connections, 3), VBN_FAILED);
  EXPECT_STREQ(vbn_error(),
               "cannot listen for 3 connections at a time: EINVAL; each takes two of the 4 "
               "channels that may be linked at a time: 2 are possible");
}

TEST(ConnectionsAbi, MayBeFreedAfterTheirFabric) {
  Party server;
  Party client;
  ASSERT_EQ(vbn_connections_listen(server.connections, 2), VBN_OK) << vbn_error();
  Ends here;
  Ends there;
  ASSERT_EQ(vbn_connections_connect(client.connections, vbn_fabric_address(server.fabric),
                                    kPatienceNs, &here.reader, &here.writer),
            VBN_OK)
      << vbn_error();
  ASSERT_EQ(vbn_connections_accept(server.connections, kPatienceNs, &there.reader, &there.writer),
            VBN_CHANNEL_DONE);
  std::string address = vbn_fabric_address(client.fabric);
  vbn_fabric_close(std::exchange(server.fabric, nullptr));
  EXPECT_EQ(here.hear(), "outcome 3") << "the far side has gone";
  EXPECT_EQ(there.hear(), "outcome -1");
  EXPECT_EQ(vbn_connections_listen(server.connections, 1), VBN_FAILED);
  EXPECT_STREQ(vbn_error(),
               "the fabric of the connections was closed; nothing is left to do but "
               "to free");
  Ends none;
  EXPECT_EQ(vbn_connections_accept(server.connections, kPatienceNs, &none.reader, &none.writer),
            VBN_CHANNEL_FAILED);
  EXPECT_EQ(vbn_connections_connect(server.connections, address.c_str(), kPatienceNs, &none.reader,
                                    &none.writer),
            VBN_FAILED);
}

}  // namespace
