// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verbs/memory.h"
#include "verbs/path.h"

namespace verbena::verbs {

/// Where an unreliable datagram goes. Must live until the work requests that name it have
/// completed.
class AddressHandle : public Handle<ibv_ah> {
 public:
  static base::Result<AddressHandle> create(const ProtectionDomain& pd, const Path& path);

  /// To the sender of a received datagram: `done` is its completion and `grh` the 40 bytes in front
  /// of it.
  static base::Result<AddressHandle> toSender(const ProtectionDomain& pd, uint8_t localPort,
                                              ibv_wc& done, ibv_grh& grh);

 private:
  using Handle::Handle;

  static base::Result<AddressHandle> create(const ProtectionDomain& pd, ibv_ah_attr& attributes);
};

}  // namespace verbena::verbs
