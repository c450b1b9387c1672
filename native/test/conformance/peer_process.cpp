// SPDX-License-Identifier: Apache-2.0
#include "peer_process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <stdexcept>

#include "softnic/wire/ring.h"

namespace verbena::conformance {
namespace {

constexpr int kFailed = 1;

/// Never returns: the test's own process goes on elsewhere.
[[noreturn]] void runAndExit(const std::function<void(Line&)>& body, int fd) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody is left to wait for otherwise
  int status = 0;
  try {
    Line line(fd);
    body(line);
    if (::testing::Test::HasFailure()) status = kFailed;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "peer process: %s\n", failure.what());
    status = kFailed;
  }
  std::fflush(nullptr);
  _exit(status);
}

}  // namespace

Card Line::exchange(const Endpoint& endpoint) {
  Card own{endpoint.queuePair().qpNum(), endpoint.rkey(), endpoint.address()};
  write(&own, sizeof own);
  Card other;
  read(&other, sizeof other);
  return other;
}

void Line::meet() {
  char word = 'm';
  write(&word, 1);
  read(&word, 1);
  // What the other has waited for may have been done to our memory by a thread of ours, for it:
  // an order that ThreadSanitizer cannot see, as half of it lies in another process.
  softnic::tellSanitizerSeen();
}

void Line::write(const void* bytes, size_t length) {
  if (::write(fd_, bytes, length) != static_cast<ssize_t>(length)) {
    throw std::runtime_error("the other process has gone");
  }
}

void Line::read(void* bytes, size_t length) {
  if (::read(fd_, bytes, length) != static_cast<ssize_t>(length)) {
    throw std::runtime_error("the other process has gone");
  }
}

PeerProcess::PeerProcess(const std::function<void(Line&)>& body) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw std::runtime_error("socketpair");
  std::fflush(nullptr);
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("fork");
  if (pid_ == 0) {
    close(ends[0]);
    runAndExit(body, ends[1]);
  }
  close(ends[1]);
  fd_ = ends[0];
  line_ = Line(fd_);
}

PeerProcess::~PeerProcess() {
  kill();
  close(fd_);
}

void PeerProcess::kill() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

bool PeerProcess::succeeded() {
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace verbena::conformance
