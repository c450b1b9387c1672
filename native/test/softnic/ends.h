// SPDX-License-Identifier: Apache-2.0
//
// What most tests need: an open softnic device with one of everything, and two of them connected.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "softnic/softnic.h"
#include "verbs/address_handle.h"
#include "verbs/completion.h"
#include "verbs/device.h"
#include "verbs/memory.h"
#include "verbs/queue_pair.h"
#include "verbs/shared_receive_queue.h"

namespace verbena::softnic::testing {

/// A value or the end of the test.
template <typename T>
T must(base::Result<T> result) {
  if (!result) throw std::runtime_error(result.error().sentence());
  return std::move(result).value();
}
inline void must(base::Result<void> result) {
  if (!result) throw std::runtime_error(result.error().sentence());
}

/// How long what must happen may take: a bound against hanging. Nothing that works takes so long,
/// though the machine be busy or emulated, or a sanitizer at work.
inline constexpr std::chrono::seconds kPatience{120};

/// Gives every test folders of its own, so that tests do not see each other's ports, nor wait for
/// a lock that a process has which another test has halted.
class Folders {
 public:
  Folders();
  ~Folders();
  /// Of softnic's ports.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::string memory_;  // of what is lent besides
};

/// Devices that are opened meanwhile have atomics of their own, as most adapters do.
struct DevicesAtomics {
  DevicesAtomics();
  ~DevicesAtomics();
  DevicesAtomics(const DevicesAtomics&) = delete;
  DevicesAtomics& operator=(const DevicesAtomics&) = delete;
};

struct EndOptions {
  verbs::QueuePairOptions qp{};
  int cqEntries = 512;
  bool shareable = true;
  size_t bytes = 1 << 20;
  bool channel = false;
  uint32_t srqEntries = 0;
  int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
               IBV_ACCESS_REMOTE_ATOMIC;
  int regionOptions = 0;  // further IBV_ACCESS_* of the buffer
  verbs::Wiring wiring{};
};

/// One side: a context, a queue pair with one completion queue, and a registered buffer.
struct End {
  explicit End(const EndOptions& options = {});

  std::byte* memory() const { return buffer.data(); }
  uint32_t lkey() const { return region->lkey(); }
  uint32_t rkey() const { return region->rkey(); }
  ibv_gid gid() const { return must(context.queryGid(1, 0)).gid; }

  ibv_sge sge(size_t offset, size_t length) const {
    return {reinterpret_cast<uint64_t>(buffer.data() + offset), static_cast<uint32_t>(length),
            lkey()};
  }
  int postReceive(uint64_t wrId, size_t offset, size_t length) const;
  /// A signalled SEND-like request; the caller may change it before posting.
  ibv_send_wr request(ibv_wr_opcode opcode, uint64_t wrId, ibv_sge* sge) const;
  int post(ibv_send_wr& request) const;
  int send(uint64_t wrId, size_t offset, size_t length) const;
  /// Polls for `count` completions; the end of the test if they do not come within kPatience.
  std::vector<ibv_wc> wait(size_t count) const;
  ibv_wc waitOne() const;
  /// What has come after polling for a while.
  std::vector<ibv_wc> pollFor(std::chrono::milliseconds time) const;

  void connect(const End& peer, verbs::RtrAttributes rtr = {}, verbs::RtsAttributes rts = {}) const;

  EndOptions options;
  verbs::Context context;
  verbs::ProtectionDomain pd;
  std::optional<verbs::CompletionChannel> channel;
  verbs::CompletionQueue cq;
  std::optional<verbs::SharedReceiveQueue> srq;
  mutable verbs::QueuePair qp;
  std::optional<verbs::ShareableMemory> shared;
  std::vector<std::byte> own;
  std::span<std::byte> buffer;
  std::optional<verbs::MemoryRegion> region;
};

/// Two ends in one process, connected.
struct Pair {
  explicit Pair(const EndOptions& a = {}, const EndOptions& b = {}, verbs::RtrAttributes rtr = {},
                verbs::RtsAttributes rts = {})
      : left(a), right(b) {
    left.connect(right, rtr, rts);
    right.connect(left, rtr, rts);
  }
  Folders folders;  // before the ends open their contexts
  End left;
  End right;
};

void fill(std::byte* memory, size_t bytes, unsigned seed);
bool holds(const std::byte* memory, size_t bytes, unsigned seed);

}  // namespace verbena::softnic::testing
