// SPDX-License-Identifier: Apache-2.0
//
// Who uses links for one-sided memory for more than its own operations: the two ends tell each
// other some bytes when a link is made ("private data" in the words of RDMA), and the user hears
// when it ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "connect/link.h"

namespace verbena::fabric {

/// Calls are short: all but the last come from the manager's job thread, which all links need.
class LinkUser {
 public:
  /// The most that one end can say.
  static constexpr size_t kMostWords = 68;

  virtual ~LinkUser() = default;

  /// Where the service has faces on several workers: which of them a new link is for. Asked of the
  /// first one's user.
  virtual uint32_t faceFor(const connect::NewLink& /*link*/) const { return 0; }
  /// What this end of a new link says. An error is the reason why there will be none.
  virtual base::Result<std::vector<std::byte>> say(const connect::NewLink& link) = 0;
  /// What the far end has said: the link is about to come up. An error ends it.
  virtual base::Result<void> hear(const connect::NewLink& link,
                                  std::span<const std::byte> words) = 0;
  /// A link that had come up is down, and why.
  virtual void down(connect::LinkId link, const std::string& reason) = 0;
  /// One will not come up, and why. If it was heard of, its far end may have written already.
  virtual void notUp(connect::LinkId link, const std::string& reason) = 0;
  /// Nothing of a link that was heard of is left: what its far end has sent or written is here, and
  /// no more comes. From whoever has the turn to poll.
  virtual void ended(connect::LinkId link) = 0;
};

}  // namespace verbena::fabric
