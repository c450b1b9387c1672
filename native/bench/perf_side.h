// SPDX-License-Identifier: Apache-2.0
//
// One of the two processes: its verbs objects, and the line to the other.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "perf_options.h"
#include "verbs/completion.h"
#include "verbs/memory.h"
#include "verbs/queue_pair.h"

namespace verbena::perf {

/// What one process tells the other before it connects.
struct Address {
  ibv_gid gid;
  uint32_t qpNum;
  uint32_t rkey;
  uint64_t memory;
  uint16_t lid;
};

/// A value, or the end of the program with the sentence of the error.
[[noreturn]] void die(const std::string& sentence);
template <typename T>
T must(base::Result<T> result) {
  if (!result) die(result.error().sentence());
  return std::move(result).value();
}
inline void must(base::Result<void> result) {
  if (!result) die(result.error().sentence());
}

/// The other process has ended while this one still needs it.
struct PeerGone {};

/// Whatever waits for the other process throws PeerGone.
class Side {
 public:
  /// `line` is a stream socket to the other process.
  Side(const Options& options, int line);

  /// Waits until the other process has come to the same point.
  void meet() const;
  template <typename T>
  void tell(const T& value) const {
    write(&value, sizeof value);
  }
  template <typename T>
  T hear() const {
    T value{};
    read(&value, sizeof value);
    return value;
  }
  /// Whether the other process has told something that is still to be heard.
  bool heard() const;

  /// Posts `count` receives of the whole message size.
  void postReceives(uint32_t count);
  /// Polls, or sleeps if the options say so, until there is at least one completion, each checked
  /// for success. Returns how many; asleep, 0 once the other process has told something.
  uint32_t takeCompletions();
  /// As above, but 0 if there is none.
  uint32_t pollCompletions();
  /// How many of the last completions were messages.
  uint32_t received() const { return received_; }
  void post(ibv_send_wr& first);

  const Options& options() const { return options_; }
  const Address& peer() const { return peer_; }
  ibv_sge sge() const;
  ibv_send_wr request(ibv_sge& list) const;
  std::byte* memory() const { return bytes_.data(); }

 private:
  void write(const void* bytes, size_t count) const;
  void read(void* bytes, size_t count) const;
  void awaitEndOfLine() const;
  void check(const ibv_wc& done) const;
  uint32_t sleepForCompletions();
  verbs::QueuePair createQp() const;
  void connect();

  Options options_;
  int line_;
  verbs::Context context_;
  verbs::ProtectionDomain pd_;
  verbs::CompletionChannel channel_;
  verbs::CompletionQueue cq_;
  verbs::QueuePair qp_;
  std::optional<verbs::ShareableMemory> shared_;
  std::vector<std::byte> plain_;
  std::span<std::byte> bytes_;
  std::optional<verbs::MemoryRegion> region_;
  ibv_gid gid_{};
  uint8_t gidIndex_ = 0;
  Address peer_{};
  uint32_t received_ = 0;
  std::vector<ibv_recv_wr> receives_;
  ibv_sge receiveSge_{};
};

}  // namespace verbena::perf
