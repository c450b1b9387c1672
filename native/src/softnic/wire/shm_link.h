// SPDX-License-Identifier: Apache-2.0
//
// A link to a port of the same folder: both rings lie in shared memory.
#pragma once

#include <string>

#include "softnic/memory/direct.h"
#include "softnic/memory/folder.h"
#include "softnic/wire/link.h"

namespace verbena::softnic {

class ShmLink : public Link {
 public:
  /// A link from the port `own` to the living port in `slot`: makes our ring and shows it to the
  /// peer. Null and errno on failure.
  static std::unique_ptr<ShmLink> open(const Folder& folder, PortMemory& own, uint32_t slot,
                                       host::SharedFile port);
  /// Forgets what the peer has shown, unless another life of it has shown something since, and
  /// takes back a ring that it has not fetched.
  ~ShmLink() override;

  uint32_t slot() const { return slot_; }
  uint64_t incarnation() const { return incarnation_; }

  bool peerGone() override;
  bool openInbound() override;
  bool ended() const override { return window_.ownerGone(); }
  void publish() override;
  void release() override;
  void remind() override;
  void wakePeer() override { ringBell(); }

 private:
  ShmLink(const Folder& folder, PortMemory& own, uint32_t slot, host::SharedFile port);
  bool createOutbound();
  void loseInbound();
  void ringBell();

  const Folder& folder_;
  PortMemory& own_;
  uint32_t slot_;
  uint64_t incarnation_;
  DirectWindow window_;  // holds the peer's port file
  std::string outboundPath_;
  host::SharedFile outbound_;
  host::SharedFile inbound_;
};

}  // namespace verbena::softnic
