// SPDX-License-Identifier: Apache-2.0
//
// Processes that are forked from one with open nodes.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "verbena/channel.h"
#include "verbena/job.h"

namespace {

constexpr uint64_t kPatienceNs = 120'000'000'000;
constexpr unsigned kPatienceSeconds = 120;
constexpr uint64_t kCapacity = 4096;
constexpr uint32_t kNumber = 7;

using Text = std::array<char, 256>;

int statusOf(pid_t process) {
  int status = -1;
  waitpid(process, &status, 0);
  return status;
}

/// Whether ends on one host share memory, or go by the device.
class ForkAbi : public ::testing::TestWithParam<bool> {
 protected:
  ForkAbi() {
    EXPECT_NE(mkdtemp(folder.data()), nullptr);
    setenv("VERBENA_SOFTNIC_DIR", folder.c_str(), 1);
  }
  ~ForkAbi() override {
    unsetenv("VERBENA_SOFTNIC_DIR");
    std::filesystem::remove_all(folder);
  }

  static vbn_fabric* open(uint32_t node, const std::string& listen = "127.0.0.1:0") {
    vbn_wishes softnic = {sizeof(vbn_wishes), 0, "softnic", -1, 0, -1, -1, 0, 0, nullptr};
    vbn_fabric_options options{};
    options.struct_bytes = sizeof options;
    options.node_id = node;
    options.device_only = GetParam() ? 0 : 1;
    options.cluster = "fork-abi";
    options.listen = listen.c_str();
    options.device = &softnic;
    options.channels = 4;
    vbn_fabric* opened = nullptr;
    vbn_fabric_open(&options, &opened);
    return opened;
  }
  /// Each is an open node's, or of one whose end could not be seen.
  size_t ports() const {
    size_t count = 0;
    for (const auto& each : std::filesystem::directory_iterator(folder)) {
      count += each.path().filename().string().starts_with("port-") ? 1 : 0;
    }
    return count;
  }

  std::string folder = "/dev/shm/fork-abi-XXXXXX";
};

INSTANTIATE_TEST_SUITE_P(Ways, ForkAbi, ::testing::Bool(),
                         [](const auto& way) { return way.param ? "shared" : "device"; });

/// As programs end. To LeakSanitizer what belongs to the parent's threads would be lost there.
[[noreturn]] void endChild(int status) {
#if defined(__SANITIZE_ADDRESS__)
  _exit(status);
#else
  std::exit(status);
#endif
}

bool isRefused(bool failed) {
  return failed && std::strstr(vbn_error(), "was forked") != nullptr;
}

TEST_P(ForkAbi, AreRefusedAndDisturbNothing) {
  vbn_fabric* one = open(1);
  vbn_fabric* two = open(2);
  vbn_reader* reader = nullptr;
  vbn_writer* writer = nullptr;
  ASSERT_EQ(vbn_fabric_add_peer(one, 2, vbn_fabric_address(two)), VBN_OK) << vbn_error();
  ASSERT_EQ(vbn_reader_open(two, kNumber, kCapacity, &reader), VBN_OK) << vbn_error();
  ASSERT_EQ(vbn_writer_open(one, 2, kNumber, kPatienceNs, &writer), VBN_OK) << vbn_error();
  pid_t forked = fork();
  if (forked == 0) {
    alarm(kPatienceSeconds);
    const void* message = nullptr;
    uint64_t bytes = 0;
    uint64_t link = 0;
    vbn_job* job = nullptr;
    bool isRight =
        isRefused(vbn_reader_peek(reader, kPatienceNs, &message, &bytes) == VBN_CHANNEL_FAILED) &&
        isRefused(vbn_writer_push(writer, "x", 1, kPatienceNs) == VBN_CHANNEL_FAILED) &&
        isRefused(vbn_fabric_link(one, 2, kPatienceNs, &link) != VBN_OK) &&
        isRefused(open(3) == nullptr) && isRefused(vbn_job_open(&job) != VBN_OK);
    vbn_writer_free(writer);
    vbn_reader_free(reader);
    vbn_fabric_close(one);
    vbn_fabric_close(two);
    endChild(isRight ? 0 : 1);
  }
  EXPECT_EQ(statusOf(forked), 0);
  ASSERT_EQ(vbn_writer_push(writer, "goes on", 7, kPatienceNs), VBN_CHANNEL_DONE);
  const void* message = nullptr;
  uint64_t bytes = 0;
  ASSERT_EQ(vbn_reader_peek(reader, kPatienceNs, &message, &bytes), VBN_CHANNEL_DONE);
  EXPECT_EQ(std::string(static_cast<const char*>(message), bytes), "goes on");
  vbn_reader_release(reader);
  vbn_writer_free(writer);
  vbn_reader_free(reader);
  vbn_fabric_close(one);
  vbn_fabric_close(two);
}

TEST(ForkedJob, IsNotUsedByAChild) {
  vbn_job* job = nullptr;
  ASSERT_EQ(vbn_job_open(&job), VBN_OK) << vbn_error();
  pid_t forked = fork();
  if (forked == 0) {
    alarm(kPatienceSeconds);
    char into[8];
    uint64_t bytes = 0;
    vbn_job_end end{};
    end.struct_bytes = sizeof end;
    bool isRight =
        isRefused(vbn_job_publish(job, "x", 1) != VBN_OK) &&
        isRefused(vbn_job_address(job, 0, kPatienceNs, into, sizeof into, &bytes) != VBN_OK) &&
        isRefused(vbn_job_await_all(job, kPatienceNs) != VBN_OK) &&
        isRefused(vbn_job_next_end(job, kPatienceNs, &end) != 0);
    vbn_job_free(job);
    endChild(isRight ? 0 : 1);
  }
  EXPECT_EQ(statusOf(forked), 0);
  EXPECT_EQ(vbn_job_publish(job, "x", 1), VBN_OK) << vbn_error();
  vbn_job_free(job);
}

/// Tells the address of its node, forks a process that outlives it, and waits for its end.
[[noreturn]] void beOwner(int tells, vbn_fabric* node) {
  vbn_reader* reader = nullptr;
  Text address{};
  if (node != nullptr && vbn_reader_open(node, kNumber, kCapacity, &reader) == VBN_OK) {
    std::strncpy(address.data(), vbn_fabric_address(node), address.size() - 1);
  }
  pid_t sleeper = fork();
  if (sleeper == 0) {
    alarm(2 * kPatienceSeconds);
    pause();
    _exit(0);
  }
  bool isTold = write(tells, address.data(), address.size()) == ssize_t{sizeof address} &&
                write(tells, &sleeper, sizeof sleeper) == ssize_t{sizeof sleeper};
  if (isTold) pause();
  _exit(1);
}

TEST_P(ForkAbi, DoNotLetAKilledOwnerLookAlive) {
  int line[2];
  ASSERT_EQ(pipe(line), 0);
  pid_t owner = fork();
  if (owner == 0) beOwner(line[1], open(1));
  Text address{};
  pid_t sleeper = 0;
  ASSERT_EQ(read(line[0], address.data(), address.size()), ssize_t{sizeof address});
  ASSERT_EQ(read(line[0], &sleeper, sizeof sleeper), ssize_t{sizeof sleeper});
  ASSERT_NE(address[0], '\0');
  vbn_fabric* node = open(2);
  vbn_writer* writer = nullptr;
  ASSERT_EQ(vbn_fabric_add_peer(node, 1, address.data()), VBN_OK) << vbn_error();
  ASSERT_EQ(vbn_writer_open(node, 1, kNumber, kPatienceNs, &writer), VBN_OK) << vbn_error();
  kill(owner, SIGKILL);
  statusOf(owner);
  vbn_outcome last = VBN_CHANNEL_DONE;
  auto end = std::chrono::steady_clock::now() + std::chrono::nanoseconds(kPatienceNs);
  while (last != VBN_CHANNEL_LOST && std::chrono::steady_clock::now() < end) {
    last = vbn_writer_push(writer, "?", 1, 10'000'000);
  }
  EXPECT_EQ(last, VBN_CHANNEL_LOST);
  vbn_writer_free(writer);
  vbn_fabric* next = open(3, address.data());
  EXPECT_NE(next, nullptr) << vbn_error();
  EXPECT_EQ(ports(), 2U);
  vbn_fabric_close(next);
  vbn_fabric_close(node);
  kill(sleeper, SIGKILL);
  close(line[0]);
  close(line[1]);
}

}  // namespace
