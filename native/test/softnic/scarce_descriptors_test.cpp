// SPDX-License-Identifier: Apache-2.0
//
// A short want of descriptors is told to who connects, and cuts nobody off for good.
#include <cerrno>
#include <thread>

#include "no_descriptors.h"
#include "processes.h"

namespace verbena::softnic::testing {
namespace {

TEST(ScarceDescriptors, AreAnErrorOfWhoConnectsThatMayPass) {
  Folders folders;
  End left;
  End right;
  must(left.qp.toInit({.remoteAccess = left.options.access}));
  verbs::RtrAttributes rtr;
  rtr.path.remoteGid = right.gid();
  rtr.remoteQpNum = right.qp.qpNum();
  {
    NoDescriptors none;
    base::Result<void> connected = left.qp.toRtr(rtr);
    ASSERT_FALSE(connected);
    EXPECT_EQ(connected.error().code, EMFILE);
  }
  EXPECT_EQ(must(left.qp.state()), IBV_QPS_INIT);
  must(left.qp.toRtr(rtr));
}

TEST(ScarceDescriptors, CutOffNoPeerForGood) {
  Folders folders;
  Child child([&](const Line& line) {
    End end;
    line.tell(addressOf(end));
    {
      NoDescriptors none;
      line.tell('n');
      line.hear<char>();
      std::this_thread::sleep_for(std::chrono::milliseconds(100));  // the bell has been heard
    }
    EXPECT_TRUE(hasOpenLink(end));
  });
  End end;
  Address peer = child.line().hear<Address>();
  child.line().hear<char>();
  connectTo(end, peer);
  child.line().tell('c');
  EXPECT_EQ(child.wait(), 0);
}

}  // namespace
}  // namespace verbena::softnic::testing
