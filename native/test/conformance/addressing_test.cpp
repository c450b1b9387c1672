// SPDX-License-Identifier: Apache-2.0
//
// Every address of the port, not the selected one alone.
#include <arpa/inet.h>

#include <algorithm>

#include "conformance_test.h"
#include "devices/providers.h"

namespace verbena::conformance {
namespace {

using verbs::AddressFamily;

class Addressing : public Conformance {
 protected:
  /// Those in use that are of the kind that was selected.
  std::vector<ibv_gid_entry> gids() const {
    const verbs::Selection& selection = device().selection();
    std::vector<ibv_gid_entry> found;
    int length = must(context->queryPort(selection.port)).gid_tbl_len;
    for (uint32_t i = 0; i < static_cast<uint32_t>(length); i++) {
      base::Result<ibv_gid_entry> entry = context->queryGid(selection.port, i);
      if (entry && entry.value().gid_type == selection.gid.gid_type) found.push_back(entry.value());
    }
    return found;
  }

  static bool isIpv4(const ibv_gid& gid) {
    in6_addr address;
    std::copy_n(gid.raw, sizeof gid.raw, address.s6_addr);
    return IN6_IS_ADDR_V4MAPPED(&address);
  }

  static verbs::Path pathOver(const ibv_gid_entry& entry) {
    verbs::Selection selection = device().selection();
    selection.gid = entry;
    return selection.pathTo(entry.gid, selection.lid);
  }
};

TEST_F(Addressing, EveryGidLeadsBackOverAConnection) {
  for (const ibv_gid_entry& entry : gids()) {
    SCOPED_TRACE(entry.gid_index);
    Endpoint one(*context);
    Endpoint other(*context);
    one.connectTo(other.queuePair().qpNum(), {}, pathOver(entry));
    other.connectTo(one.queuePair().qpNum(), {}, pathOver(entry));
    other.postReceive(5, {other.piece(0, 64)});
    one.fill(0, 64, 1);
    one.post({.id = 1, .pieces = {one.piece(0, 64)}});
    expectSuccess(await(other.receiveQueue()), 5, IBV_WC_RECV);
    expectSuccess(await(one.sendQueue()), 1, IBV_WC_SEND);
    EXPECT_TRUE(other.holds(0, 64, 1));
  }
}

TEST_F(Addressing, EveryGidStandsInTheHeaderOfADatagram) {
  for (const ibv_gid_entry& entry : gids()) {
    SCOPED_TRACE(entry.gid_index);
    Endpoint one(*context, {.type = IBV_QPT_UD});
    Endpoint other(*context, {.type = IBV_QPT_UD});
    one.open();
    other.open();
    other.postReceive(5, {other.piece(0, 200)});
    verbs::AddressHandle to = must(verbs::AddressHandle::create(one.pd(), pathOver(entry)));
    one.post({.id = 1,
              .pieces = {one.piece(0, 8)},
              .to = &to,
              .remoteQpNum = other.queuePair().qpNum()});
    ibv_wc at = await(other.receiveQueue());
    expectSuccess(at, 5, IBV_WC_RECV);
    // An IPv4 header is shorter and lies in the second half; its addresses end both of them.
    const std::byte* header = other.memory().data();
    size_t bytes = isIpv4(entry.gid) ? sizeof(in_addr) : sizeof(in6_addr);
    const auto* expected = reinterpret_cast<const std::byte*>(entry.gid.raw) + 16 - bytes;
    const std::byte* destination = header + sizeof(ibv_grh) - bytes;
    EXPECT_TRUE(std::equal(expected, expected + bytes, destination)) << "destination";
    EXPECT_TRUE(std::equal(expected, expected + bytes, destination - bytes)) << "source";
  }
}

TEST_F(Addressing, IsChosenByFamily) {
  std::vector<ibv_gid_entry> all = gids();
  for (AddressFamily family : {AddressFamily::ipv4, AddressFamily::ipv6}) {
    bool wanted = family == AddressFamily::ipv4;
    bool there = std::any_of(all.begin(), all.end(), [wanted](const ibv_gid_entry& entry) {
      return isIpv4(entry.gid) == wanted;
    });
    verbs::Wishes wishes{.device = std::string(device().selection().device.name()),
                         .family = family};
    base::Result<verbs::Selection> chosen =
        verbs::select(verbs::survey(devices::providers()), wishes);
    ASSERT_EQ(chosen.ok(), there);
    if (!there) continue;
    EXPECT_EQ(isIpv4(chosen.value().gid.gid), wanted);
  }
}

}  // namespace
}  // namespace verbena::conformance
