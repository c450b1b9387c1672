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
#include <memory>
#include <utility>
#include <vector>

#include "host/shared_file.h"
#include "softnic/memory/folder.h"
#include "softnic/memory/port_memory.h"

namespace verbena::softnic {

struct DirectRequest {
  uint32_t targetQpn;
  uint32_t ownQpn;
  uint32_t rkey;
  uint32_t access;  // IBV_ACCESS_REMOTE_*
  uint64_t address;
  uint64_t lengthBytes;
  bool overtakes;  // what was requested before it: only where the region's owner allows that
  bool beyondLock = false;  // the memory is touched after the port's lock was given up
};

/// The right to touch the target's memory, held as long as this object lives. The target's dereg_mr
/// and its leaving of the receiving states wait for it, but not for ever: see release().
class DirectAccess {
 public:
  DirectAccess() = default;
  DirectAccess(DirectAccess&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)),
        place_(std::exchange(other.place_, nullptr)),
        mark_(other.mark_),
        file_(std::move(other.file_)) {}
  DirectAccess& operator=(DirectAccess&&) = delete;
  ~DirectAccess() { release(); }

  /// Gives the right back. False if the target has taken it away, because we stayed too long: it
  /// may have other pages in that place by now, so nobody knows what was written, or whether what
  /// was read is what it holds.
  bool release() {
    if (place_ == nullptr) return false;
    uint64_t own = mark_;
    // release pairs with the acquire in letInitiatorsLeave(): the copy is over before the mark goes
    return std::exchange(place_, nullptr)
        ->compare_exchange_strong(own, 0, std::memory_order_release, std::memory_order_relaxed);
  }

  explicit operator bool() const { return memory_ != nullptr; }
  std::byte* memory() const { return memory_; }

 private:
  friend class DirectWindow;
  DirectAccess(std::atomic<uint64_t>& place, uint64_t mark) : place_(&place), mark_(mark) {}

  std::byte* memory_ = nullptr;
  std::atomic<uint64_t>* place_ = nullptr;  // of the mark; null: the right is given back
  uint64_t mark_ = 0;
  std::shared_ptr<const host::SharedFile> file_;  // of a copy beyond the lock
};

class DirectWindow {
 public:
  DirectWindow(const Folder& folder, host::SharedFile port)
      : folder_(folder), port_(std::move(port)) {}

  PortMemory* port() const { return port_.as<PortMemory>(); }
  /// False as long as the owner lives and has not closed.
  bool ownerGone() const;
  /// Whether no thread of the owner's process runs any more, whatever it was doing.
  bool ownerEnded() const { return port_.ownerGone(); }

  /// Empty if the operation has to go as a packet.
  DirectAccess access(const DirectRequest& request);
  /// Whether the owner was killed, without a system call.
  bool ownerKilled() const;
  /// Whether the owner has freed segments since dropFreed().
  bool someFreed() const;
  /// Gives back the mappings of segments that the owner has freed.
  void dropFreed();

 private:
  struct Mapped {
    uint32_t segment;
    std::shared_ptr<const host::SharedFile> file;  // shared with copies beyond the lock
  };
  void locate(const DirectRequest& request, uint32_t pd, DirectAccess& access);
  std::shared_ptr<const host::SharedFile>* map(uint32_t segment);

  const Folder& folder_;
  host::SharedFile port_;
  std::vector<Mapped> mapped_;
  uint32_t freedSeen_ = 0;  // of PortMemory::segmentsFreed
};

}  // namespace verbena::softnic
