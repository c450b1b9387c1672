// SPDX-License-Identifier: Apache-2.0
//
// One-sided operations without the target's processor: the initiator checks what the target has
// published about its queue pairs and regions, maps the memory, and reads or writes it itself.
//
// Whatever does not pass these checks goes to the target as a packet instead, so there is one place
// that judges wrong keys and bounds: the responder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "host/shared_file.h"
#include "softnic/folder.h"
#include "softnic/port_memory.h"

namespace verbena::softnic {

struct DirectRequest {
  uint32_t targetQpn;
  uint32_t ownQpn;
  uint32_t rkey;
  uint32_t access;  // IBV_ACCESS_REMOTE_*
  uint64_t address;
  uint64_t lengthBytes;
  bool overtakes;  // what was requested before it: only where the region's owner allows that
};

/// The right to touch the target's memory, held as long as this object lives. The target's dereg_mr
/// and its leaving of the receiving states wait for it.
class DirectAccess {
 public:
  DirectAccess() = default;
  DirectAccess(DirectAccess&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)),
        mark_(std::exchange(other.mark_, nullptr)) {}
  DirectAccess& operator=(DirectAccess&&) = delete;
  ~DirectAccess() {
    // release pairs with the acquire in waitForDirect(): the copy is over before the mark goes
    if (mark_ != nullptr) mark_->store(0, std::memory_order_release);
  }

  explicit operator bool() const { return memory_ != nullptr; }
  std::byte* memory() const { return memory_; }

 private:
  friend class DirectWindow;
  explicit DirectAccess(std::atomic<uint32_t>* mark) : mark_(mark) {}

  std::byte* memory_ = nullptr;
  std::atomic<uint32_t>* mark_ = nullptr;
};

class DirectWindow {
 public:
  DirectWindow(const Folder& folder, host::SharedFile port)
      : folder_(folder), port_(std::move(port)) {}

  PortMemory* port() const { return port_.as<PortMemory>(); }
  /// False as long as the owner lives and has not closed.
  bool ownerGone() const;

  /// Empty if the operation has to go as a packet.
  DirectAccess access(const DirectRequest& request);
  /// Whether the owner was killed, without a system call.
  bool ownerKilled() const;

 private:
  struct Mapped {
    uint32_t segment;
    host::SharedFile file;
  };
  std::byte* locate(const DirectRequest& request, uint32_t pd);
  const host::SharedFile* map(uint32_t segment);

  const Folder& folder_;
  host::SharedFile port_;
  std::vector<Mapped> mapped_;
};

/// Waits until no peer operates directly with `rkey` on the queue pair, or on any of its keys if
/// `rkey` is 0. A mark that stays is cleared when the peer is gone, killed in the middle, and at
/// the latest after a second: whoever waits holds the context's lock. `peer` may be null.
void waitForDirect(PublishedQp& qp, uint32_t rkey, const DirectWindow* peer);

}  // namespace verbena::softnic
