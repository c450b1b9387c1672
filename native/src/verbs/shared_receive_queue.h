// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verbs/memory.h"

namespace verbena::verbs {

/// One queue of receive work requests for many queue pairs.
class SharedReceiveQueue : public Handle<ibv_srq> {
 public:
  static base::Result<SharedReceiveQueue> create(const ProtectionDomain& pd,
                                                 uint32_t maxWorkRequests, uint32_t maxSge);

  /// Asks for one IBV_EVENT_SRQ_LIMIT_REACHED once fewer than `limit` work requests are left.
  base::Result<void> armLimit(uint32_t limit);

  /// The sizes the device gave and the armed limit, 0 when none is.
  base::Result<ibv_srq_attr> query() const;

 private:
  using Handle::Handle;
};

}  // namespace verbena::verbs
