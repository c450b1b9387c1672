// SPDX-License-Identifier: Apache-2.0
//
// What one-sided operations over TCP are measured against: a socket, and a process at its other end
// that sleeps until bytes come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "far_host.h"
#include "forked.h"

namespace verbena::bench {

/// Messages of one size.
class RawPeer {
 public:
  enum class Does : uint8_t { answer, take };

  /// @param far where the other end is; null: on this host
  RawPeer(const char* tool, Does does, size_t bytes, const FarHost* far = nullptr);
  ~RawPeer();
  RawPeer(const RawPeer&) = delete;
  RawPeer& operator=(const RawPeer&) = delete;

  /// Sends a message and asks again and again for the same one back.
  void trip(std::span<std::byte> message);
  /// Sends a message; behind the last one it waits until the far side has read them all. Writes to
  /// the message's first byte.
  void send(std::span<std::byte> message, bool isLast);

 private:
  const char* tool_;
  int socket_ = -1;
  std::optional<Forked> peer_;
};

}  // namespace verbena::bench
