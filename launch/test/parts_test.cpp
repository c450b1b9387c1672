// SPDX-License-Identifier: Apache-2.0
//
// Lines, frames, orders, last lines: single parts, and bytes that are none of ours.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <random>

#include "job/stream.h"
#include "lines.h"
#include "orders.h"
#include "outlets.h"
#include "report.h"

namespace verbena::launch {
namespace {

std::vector<std::string> passed(const std::vector<std::string>& pieces, bool finish) {
  Lines lines;
  std::vector<std::string> all;
  Lines::Sink sink = [&](std::string_view whole) { all.emplace_back(whole); };
  for (const std::string& piece : pieces) lines.add(piece, sink);
  if (finish) lines.finish(sink);
  return all;
}

using Texts = std::vector<std::string>;

TEST(Lines, ArePassedOnWhenTheyEnd) {
  EXPECT_EQ(passed({"a", "b\nc", "\nd"}, false), (Texts{"ab\n", "c\n"}));
  EXPECT_EQ(passed({"a\nb\nc"}, true), (Texts{"a\nb\n", "c"}));
}

TEST(Lines, ThatAreTooLongArePassedOnInPieces) {
  std::string piece(Lines::kMostBytes - 1, 'x');
  EXPECT_EQ(passed({piece, "yz"}, false), (Texts{piece + "yz"}));
}

TEST(LastLines, AreTheLast) {
  LastLines last;
  for (int i = 0; i < 1000; i++) last.add("line " + std::to_string(i) + "\n");
  EXPECT_LE(last.text().size(), 1024U);
  EXPECT_EQ(last.text().substr(0, 5), "line ");
  EXPECT_TRUE(last.text().ends_with("line 999\n"));
  last.add(std::string(5000, 'x'));
  EXPECT_EQ(last.text(), std::string(1024, 'x'));
}

TEST(Tags, StandBeforeEachLine) {
  EXPECT_EQ(tagged(12, "a\n\nb"), "[12] a\n[12] \n[12] b\n");
}

StartOrder someOrder() {
  return {"job",           "key", 3, true,   true,
          Readers::none,   true,  7, "eth0", {{{"a", "b"}, "/x", {"A=1"}}, {{"c"}, "", {}}},
          {{0, 0}, {2, 1}}};
}

TEST(StartOrders, ArriveAsTheyWere) {
  job::BytesOut out;
  someOrder().put(out);
  EXPECT_EQ(StartOrder::read(out.all()), someOrder());
}

TEST(StartOrders, ThatAreCutOrCannotBeAreRefused) {
  job::BytesOut out;
  someOrder().put(out);
  for (size_t bytes = 0; bytes < out.all().size(); bytes++) {
    EXPECT_FALSE(StartOrder::read(out.all().first(bytes))) << bytes;
  }
  StartOrder wrongRank = someOrder();
  wrongRank.ranks[1].rank = 3;
  StartOrder wrongCommand = someOrder();
  wrongCommand.ranks[1].command = 2;
  StartOrder noWords = someOrder();
  noWords.commands[1].words.clear();
  for (const StartOrder& wrong : {wrongRank, wrongCommand, noWords}) {
    job::BytesOut bytes;
    wrong.put(bytes);
    EXPECT_FALSE(StartOrder::read(bytes.all()));
  }
}

TEST(StartOrders, WithAnyByteChangedDoNoHarm) {
  job::BytesOut out;
  someOrder().put(out);
  std::mt19937 random(20260101);
  for (int round = 0; round < 20'000; round++) {
    std::vector<std::byte> bytes(out.all().begin(), out.all().end());
    bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    StartOrder::read(bytes);
  }
}

/// Two streams that are each other's far end.
struct Ends {
  Ends() {
    int there[2];
    int back[2];
    if (pipe2(there, O_CLOEXEC) != 0 || pipe2(back, O_CLOEXEC) != 0)
      throw std::runtime_error("pipe");
    one = job::Stream(base::FileDescriptor(there[0]), base::FileDescriptor(back[1]));
    other = job::Stream(base::FileDescriptor(back[0]), base::FileDescriptor(there[1]));
  }
  job::Stream one;
  job::Stream other;
};

TEST(Streams, CarryFramesOfAnyLength) {
  Ends ends;
  std::vector<std::byte> large(1'000'000, std::byte{7});
  ends.one.sendText("noise");
  ends.one.sendText(job::kGreeting);
  ends.one.send(job::FrameKind::published, 3, large);
  ends.one.send(job::FrameKind::done, 0, {});
  std::vector<job::Frame> frames;
  std::optional<std::string> noise;
  while (frames.size() < 2 && ends.other.isOpen()) {
    job::Poll poll;
    ends.one.watch(poll, [] {});
    ends.other.watch(poll, [&] {
      if (!noise) noise = ends.other.skipBehind(job::kGreeting);
      while (auto frame = ends.other.next()) frames.push_back(*frame);
    });
    poll.wait();
  }
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_EQ(noise, "noise");
  EXPECT_EQ(frames[0].kind, job::FrameKind::published);
  EXPECT_EQ(frames[0].rank, 3U);
  EXPECT_TRUE(frames[0].bytes == large);
  EXPECT_EQ(frames[1].kind, job::FrameKind::done);
}

TEST(Streams, ThatTakeNoMoreTellWhatHasComeAndThenTheirEnd) {
  Ends ends;
  ends.other.send(job::FrameKind::done, 0, {});
  ends.other.flush();
  ends.other.close();
  signal(SIGPIPE, SIG_IGN);
  ends.one.send(job::FrameKind::finish, 0, {});
  ends.one.flush();
  std::vector<job::FrameKind> kinds;
  while (ends.one.isOpen()) {
    job::Poll poll;
    ends.one.watch(poll, [&] {
      while (auto frame = ends.one.next()) kinds.push_back(frame->kind);
    });
    poll.wait();
  }
  EXPECT_EQ(kinds, (std::vector<job::FrameKind>{job::FrameKind::done}));
}

/// Ranks stream over sockets, in processes that are a user's: a signal would end them.
TEST(Streams, OverSocketsSendNoSignalWhenTheFarSideHasGone) {
  int sockets[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
  ::close(sockets[1]);
  job::Stream stream{base::FileDescriptor(sockets[0]), base::FileDescriptor(dup(sockets[0]))};
  EXPECT_EXIT(
      {
        signal(SIGPIPE, SIG_DFL);
        stream.send(job::FrameKind::done, 0, {});
        stream.flush();
        std::_Exit(stream.hasUnsent() ? 1 : 0);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(Streams, EndAtALengthThatCannotBe) {
  Ends ends;
  ends.one.sendText(std::string(12, '\xff'));
  ends.one.flush();
  job::Poll poll;
  ends.other.watch(poll, [&] { EXPECT_FALSE(ends.other.next()); });
  poll.wait();
  EXPECT_FALSE(ends.other.isOpen());
}

}  // namespace
}  // namespace verbena::launch
