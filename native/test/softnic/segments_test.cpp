// SPDX-License-Identifier: Apache-2.0
//
// Memory of the device's own allocator that has been freed is mapped by nobody any more.
#include <fstream>

#include "processes.h"
#include "softnic/device/context.h"

namespace verbena::softnic::testing {
namespace {

/// How many of this process's mappings are of the folder's segments.
int mappedSegments(const Folders& folders) {
  std::ifstream maps("/proc/self/maps");
  int count = 0;
  for (std::string line; std::getline(maps, line);) {
    count += line.find(folders.path() + "/seg-") != std::string::npos ? 1 : 0;
  }
  return count;
}

/// Waits for the device's own thread to give them back.
int mappedSegmentsInTheEnd(const Folders& folders) {
  auto end = std::chrono::steady_clock::now() + kPatience;
  while (mappedSegments(folders) != 0 && std::chrono::steady_clock::now() < end) {
    std::this_thread::yield();
  }
  return mappedSegments(folders);
}

ibv_wc_status write(const End& end, const Address& peer, uint32_t bytes) {
  ibv_sge list = end.sge(0, bytes);
  ibv_send_wr request = end.request(IBV_WR_RDMA_WRITE, 1, &list);
  request.wr.rdma = {peer.memory, peer.rkey};
  EXPECT_EQ(end.post(request), 0);
  return end.waitOne().status;
}

TEST(FreedSegments, AreUnmappedOnBothSides) {
  Folders folders;
  Child child([&](const Line& line) {
    EndOptions options;
    options.shareable = false;  // what it maps is the other's
    End end(options);
    line.tell(addressOf(end));
    auto peer = line.hear<Address>();
    connectTo(end, peer);
    line.tell('r');
    line.hear<char>();
    EXPECT_EQ(write(end, peer, 100'000), IBV_WC_SUCCESS);
    EXPECT_EQ(mappedSegments(folders), 1);
    line.tell('w');
    line.hear<char>();
    EXPECT_EQ(mappedSegmentsInTheEnd(folders), 0);
    line.tell('u');
    line.hear<char>();
  });
  End end;
  Address peer = child.line().hear<Address>();
  child.line().tell(addressOf(end));
  connectTo(end, peer);
  child.line().hear<char>();
  child.line().tell('r');
  child.line().hear<char>();
  EXPECT_EQ(mappedSegments(folders), 1);
  end.region.reset();
  end.shared.reset();
  EXPECT_EQ(mappedSegments(folders), 0);
  child.line().tell('f');
  EXPECT_EQ(child.line().hear<char>(), 'u');
  child.line().tell('q');
  EXPECT_EQ(child.wait(), 0);
}

TEST(FreedSegments, AreUnmappedWhenTheirPagesWereWithdrawn) {
  Folders folders;
  End end;
  Context& context = contextOf(end.context.get());
  static_cast<MemoryRegion*>(end.region->get())->straggler = true;
  end.region.reset();
  EXPECT_GE(mappedSegments(folders), 1);
  {
    std::lock_guard guard(context.lock);
    EXPECT_FALSE(context.segments.find(end.memory(), 1)->isShared({0, 4096}));
  }
  fill(end.memory(), end.options.bytes, 1);
  end.shared.reset();
  EXPECT_EQ(mappedSegments(folders), 0);
}

}  // namespace
}  // namespace verbena::softnic::testing
