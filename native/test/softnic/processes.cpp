// SPDX-License-Identifier: Apache-2.0
#include "processes.h"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <mutex>
#include <thread>

#include "softnic/device/context.h"

namespace verbena::softnic::testing {

using Clock = std::chrono::steady_clock;

bool Line::tell(std::span<const std::byte> bytes) const {
  return ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
         static_cast<ssize_t>(bytes.size());
}

bool Line::hear(std::span<std::byte> bytes) const {
  return ::recv(fd_, bytes.data(), bytes.size(), MSG_WAITALL) == static_cast<ssize_t>(bytes.size());
}

bool Line::heard() const {
  char next;
  return ::recv(fd_, &next, 1, MSG_PEEK | MSG_DONTWAIT) == 1;
}

Child::Child(const std::function<void(const Line&)>& body) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw std::runtime_error("no socket pair");
  }
  pid_ = fork();
  if (pid_ != 0) {
    close(ends[1]);
    line_ = Line(ends[0]);
    return;
  }
  close(ends[0]);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int status = 0;
  try {
    body(Line(ends[1]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "child: %s\n", error.what());
    status = 2;
  }
  if (::testing::Test::HasFailure()) status = 3;
  _exit(status);
}

Child::~Child() {
  kill();
}

void Child::kill() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

void Child::awaitStop() const {
  int status = 0;
  EXPECT_EQ(waitpid(pid_, &status, WUNTRACED), pid_);
  EXPECT_TRUE(WIFSTOPPED(status)) << status;
}

void Child::goOn() const {
  ::kill(pid_, SIGCONT);
}

Child::Change Child::look() {
  int status = 0;
  if (pid_ < 0 || waitpid(pid_, &status, WUNTRACED | WNOHANG) != pid_) return Change::None;
  if (WIFSTOPPED(status)) return Change::Stopped;
  pid_ = -1;
  return Change::Ended;
}

void Child::stop() const {
  ::kill(pid_, SIGSTOP);
  awaitStop();
}

int Child::wait() {
  int status = -1;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Address addressOf(const End& end) {
  return {end.gid(), end.qp.qpNum(), end.rkey(), reinterpret_cast<uint64_t>(end.memory())};
}

void connectTo(const End& end, const Address& peer, verbs::RtsAttributes rts) {
  must(end.qp.toInit({.remoteAccess = end.options.access}));
  verbs::RtrAttributes rtr;
  rtr.path.remoteGid = peer.gid;
  rtr.remoteQpNum = peer.qpNum;
  rtr.receivePsn = peer.qpNum;
  rtr.maxReadsServed = 16;
  must(end.qp.toRtr(rtr));
  rts.sendPsn = end.qp.qpNum();
  rts.maxReadsIssued = 16;
  must(end.qp.toRts(rts));
}

bool hasOpenLink(const End& end) {
  Context& context = contextOf(end.context.get());
  for (auto last = Clock::now() + kPatience; Clock::now() < last;) {
    {
      std::lock_guard guard(context.lock);
      if (context.links.size() == 1 && context.links[0].state == LinkState::Open) return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

}  // namespace verbena::softnic::testing
