// SPDX-License-Identifier: Apache-2.0
//
// Folders that differ, and one that is emptied while ports lie in it, as systemd does with /dev/shm
// when a user's last session ends.
#include <sys/resource.h>

#include <cerrno>
#include <filesystem>
#include <stdexcept>

#include "processes.h"
#include "softnic/device/context.h"

namespace verbena::softnic::testing {
namespace {

void empty(const std::string& folder) {
  for (const auto& each : std::filesystem::directory_iterator(folder)) {
    std::filesystem::remove_all(each);
  }
}

base::Error refusal(const End& end, const End& peer) {
  must(end.qp.toInit({}));
  auto moved = end.qp.toRtr({.path = {.remoteGid = peer.gid()}, .remoteQpNum = peer.qp.qpNum()});
  return moved ? base::Error{"", "", 0, "it is not refused"} : moved.error();
}

void expectRefused(const End& end, const End& peer, int code, const std::string& words) {
  base::Error error = refusal(end, peer);
  EXPECT_EQ(error.code, code);
  EXPECT_NE(error.sentence().find(words), std::string::npos) << error.sentence();
}

size_t linksOf(const End& end) {
  Context& context = contextOf(end.context.get());
  std::lock_guard guard(context.lock);
  return context.links.size();
}

TEST(SoftnicFolders, ThatDifferAreNamedWhenALinkIsMade) {
  Folders mine;
  End end;
  Folders others;
  End peer;
  expectRefused(end, peer, ENETUNREACH, mine.path());
  expectRefused(peer, end, ENETUNREACH, others.path());
}

/// One with a put under way.
ibv_wc put(const Pair& pair) {
  fill(pair.left.memory(), 64, 7);
  ibv_sge list = pair.left.sge(0, 64);
  ibv_send_wr request = pair.left.request(IBV_WR_RDMA_WRITE, 1, &list);
  request.wr.rdma = {reinterpret_cast<uint64_t>(pair.right.memory()), pair.right.rkey()};
  EXPECT_EQ(pair.left.post(request), 0);
  return pair.left.waitOne();
}

/// By way of the device, there and back.
void meet(const Pair& pair) {
  EXPECT_EQ(pair.right.postReceive(2, 0, 64), 0);
  EXPECT_EQ(pair.left.send(3, 0, 64), 0);
  EXPECT_EQ(pair.left.waitOne().status, IBV_WC_SUCCESS);
  EXPECT_EQ(pair.right.waitOne().status, IBV_WC_SUCCESS);
}

TEST(SoftnicFolders, EmptiedKeepPortsThatHaveMet) {
  Pair pair;
  meet(pair);
  empty(pair.folders.path());
  End stranger;  // it has the slot of one of them
  for (const End* end : {&pair.left, &pair.right}) must(end->qp.toReset());
  pair.left.connect(pair.right);
  pair.right.connect(pair.left);
  EXPECT_EQ(put(pair).status, IBV_WC_SUCCESS);
  EXPECT_TRUE(holds(pair.right.memory(), 64, 7));
  meet(pair);
  EXPECT_EQ(linksOf(stranger), 0U);
}

/// Their rings lose their names before they are opened, or do not: a put ends, one way or another.
TEST(SoftnicFolders, EmptiedWhilePortsMeetLeaveNoOperationWithoutAnEnd) {
  constexpr int kRounds = 20;
  for (int round = 0; round < kRounds; round++) {
    Pair pair;
    empty(pair.folders.path());
    ibv_wc_status status = put(pair).status;
    EXPECT_TRUE(status == IBV_WC_SUCCESS || status == IBV_WC_RETRY_EXC_ERR) << status;
  }
}

TEST(SoftnicFolders, EmptiedPartPortsThatHaveNotMet) {
  Folders folders;
  End left;
  End right;
  empty(folders.path());
  expectRefused(left, right, ESTALE, folders.path() + " was emptied");
  End stranger;  // it has the slot of the first
  expectRefused(right, left, ESTALE, folders.path() + " was emptied");
  expectRefused(stranger, right, ENETUNREACH, folders.path());
  EXPECT_EQ(linksOf(stranger), 0U);
}

TEST(SoftnicFolders, ForWhichFilesMayNotBeLargeEnoughAreRefusedWithTheLimit) {
  Folders folders;
  Child child([](const Line&) {
    rlimit limit{64 << 10, 64 << 10};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    try {
      End end;
      FAIL() << "it has opened";
    } catch (const std::runtime_error& refused) {
      std::string sentence = refused.what();
      EXPECT_NE(sentence.find("65536 bytes; raise that with 'ulimit -f'"), std::string::npos)
          << sentence;
    }
  });
  EXPECT_EQ(child.wait(), 0);
}

TEST(SoftnicFolders, RemovedLetNoMemoryBeMade) {
  Folders folders;
  End end;
  std::filesystem::remove_all(folders.path());
  auto memory = verbs::ShareableMemory::allocate(end.context, 4096);
  ASSERT_FALSE(memory);
  EXPECT_NE(memory.error().sentence().find(folders.path() + " was emptied"), std::string::npos)
      << memory.error().sentence();
}

}  // namespace
}  // namespace verbena::softnic::testing
