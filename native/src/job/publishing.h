// SPDX-License-Identifier: Apache-2.0
//
// How a rank hands its address to the agent of its host: by a message on a socket in the job's
// folder, which only its user can open, and which is answered with a sentence, empty if all is
// well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"

namespace verbena::job {

/// By a rank. Waits for the answer.
base::Result<void> publishAt(const std::string& folder, uint32_t rank,
                             std::span<const std::byte> address);

/// A rank's message, on the agent's side.
struct Publication {
  uint32_t rank = 0;
  std::span<const std::byte> address;

  /// Of a message; none if it is none.
  static std::optional<Publication> read(std::span<const std::byte> message);
};

inline constexpr size_t kMostPublicationBytes = 512;

/// The agent's socket. Empty and errno on failure.
base::FileDescriptor listenForPublications(const std::string& folder);

}  // namespace verbena::job
