// SPDX-License-Identifier: Apache-2.0
//
// One end of a conversation: memory, completion queues and a queue pair.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "device_under_test.h"
#include "verbs/address_handle.h"
#include "verbs/async_events.h"
#include "verbs/queue_pair.h"

namespace verbena::conformance {

constexpr int kAllRemote =
    IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;
constexpr int kAllAccess = IBV_ACCESS_LOCAL_WRITE | kAllRemote;
constexpr uint32_t kQkey = 0x11223344;
/// The value; of an error, an exception with its sentence fails the test.
template <typename T>
T must(base::Result<T> result) {
  if (!result) throw std::runtime_error(result.error().sentence());
  if constexpr (!std::is_void_v<T>) return std::move(result).value();
}

/// How long what must happen may take: a bound against hanging. Nothing that works takes so long,
/// though the machine be busy or emulated, or a sanitizer at work.
constexpr std::chrono::seconds kPatience{120};
/// How long nothing may happen before that counts as never.
constexpr std::chrono::milliseconds kSilence{60};

/// Memory from the device's own allocator, or from anywhere.
enum class MemoryKind { shareable, foreign };

struct EndpointOptions {
  ibv_qp_type type = IBV_QPT_RC;
  uint32_t sendWorkRequests = 64;
  uint32_t receiveWorkRequests = 64;
  uint32_t inlineBytes = 0;
  bool signalAll = false;
  const verbs::ProtectionDomain* pd = nullptr;  ///< its own when none is given
  const verbs::SharedReceiveQueue* sharedReceiveQueue = nullptr;
  const verbs::CompletionChannel* channel = nullptr;  ///< of both completion queues
  int completions = 256;                              ///< of each completion queue
  MemoryKind memory = MemoryKind::shareable;
  size_t memoryBytes = 1 << 16;
  int memoryAccess = kAllAccess;
  int remoteAccess = kAllRemote;  ///< of the queue pair
};

/// Patience of a connection. By default a receive must be there when a message comes.
struct LinkOptions {
  uint8_t timeout = 16;  ///< 0.27 s
  uint8_t retryCount = 7;
  uint8_t rnrRetry = 0;
  uint8_t minRnrTimer = 12;
  uint8_t reads = 4;
};

/// A send work request, written so that a test shows only what matters in it.
struct Send {
  uint64_t id = 0;
  ibv_wr_opcode opcode = IBV_WR_SEND;
  std::vector<ibv_sge> pieces{};
  unsigned flags = IBV_SEND_SIGNALED;
  uint32_t immediate = 0;  ///< in host byte order
  uint64_t remoteAddress = 0;
  uint32_t remoteKey = 0;
  uint64_t compareOrAdd = 0;
  uint64_t swap = 0;
  const verbs::AddressHandle* to = nullptr;  ///< UD
  uint32_t remoteQpNum = 0;                  ///< UD
  uint32_t qkey = kQkey;                     ///< UD
};

class Endpoint {
 public:
  explicit Endpoint(const verbs::Context& context, const EndpointOptions& options = {});

  verbs::QueuePair& queuePair() { return *queuePair_; }
  const verbs::QueuePair& queuePair() const { return *queuePair_; }
  const verbs::CompletionQueue& sendQueue() const { return *sendQueue_; }
  verbs::CompletionQueue& receiveQueue() { return *receiveQueue_; }
  const verbs::ProtectionDomain& pd() const { return *pd_; }
  const verbs::MemoryRegion& region() const { return *region_; }
  std::span<std::byte> memory() const { return memory_; }
  uint64_t address(size_t offset = 0) const {
    return reinterpret_cast<uintptr_t>(memory_.data()) + offset;
  }
  uint32_t rkey() const { return region_->rkey(); }

  /// INIT, without anybody to talk to.
  void initialize();
  /// RTS with the queue pair number `remote`, over loopback().
  void connectTo(uint32_t remote, const LinkOptions& link = {});
  void connectTo(uint32_t remote, const LinkOptions& link, const verbs::Path& path);
  /// UD: all the way to RTS.
  void open();

  ibv_sge piece(size_t offset, size_t length) const;
  void fill(size_t offset, size_t length, unsigned seed);
  /// Whether the bytes are those that fill() of the same length and seed wrote.
  bool holds(size_t offset, size_t length, unsigned seed) const;
  uint64_t& word(size_t offset);

  int tryPostReceive(uint64_t id, std::vector<ibv_sge> pieces);
  void postReceive(uint64_t id, std::vector<ibv_sge> pieces);
  int tryPost(const Send& send);
  void post(const Send& send);
  /// All in one chain. Returns the error and how many were taken.
  std::pair<int, size_t> tryPostChain(std::span<const Send> sends);

  void destroyQueuePair() { queuePair_.reset(); }
  void deregister() { region_.reset(); }

 private:
  void makeMemory(const verbs::Context& context, const EndpointOptions& options);

  std::optional<verbs::ProtectionDomain> ownPd_;
  const verbs::ProtectionDomain* pd_;
  std::optional<verbs::ShareableMemory> shareable_;
  std::vector<std::byte> foreign_;
  std::span<std::byte> memory_;
  std::optional<verbs::MemoryRegion> region_;
  std::optional<verbs::CompletionQueue> sendQueue_;
  std::optional<verbs::CompletionQueue> receiveQueue_;
  std::optional<verbs::QueuePair> queuePair_;
  int remoteAccess_;
};

/// Connects two endpoints with each other.
void connect(Endpoint& one, Endpoint& other, const LinkOptions& link = {});

/// The route from the device to itself.
verbs::Path loopback();

/// The next completion; a failure of the test when none comes.
ibv_wc await(const verbs::CompletionQueue& queue);
std::optional<ibv_wc> pollOnce(const verbs::CompletionQueue& queue);
/// Fails the test when anything completes within kSilence.
void expectSilence(const verbs::CompletionQueue& queue);

/// The next asynchronous event; none after kPatience.
std::optional<verbs::AsyncEvent> await(const verbs::AsyncEvents& events);

void expectSuccess(const ibv_wc& done, uint64_t id, ibv_wc_opcode opcode);
/// Of a failed completion only these are defined, and the queue pair number.
void expectStatus(const ibv_wc& done, uint64_t id, ibv_wc_status status);

}  // namespace verbena::conformance
