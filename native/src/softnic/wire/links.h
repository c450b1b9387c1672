// SPDX-License-Identifier: Apache-2.0
//
// The links of a port of ours, one to each port that it talks to or that talks to it: opened, found
// again, and given back when the peer is gone.
#pragma once

#include <infiniband/verbs.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "host/shared_file.h"
#include "softnic/wire/link.h"

namespace verbena::softnic {

struct Context;
class ShmLink;

/// All calls under the port's lock.
class Links {
 public:
  explicit Links(Context& context) : context_(context) {}

  /// The link to the port that `qpn` at `gid` belongs to; opened if need be. Null and errno:
  /// ENETUNREACH if nothing leads there, ESTALE if our folder is not any more the one that we share
  /// with it, EHOSTUNREACH if it is not there.
  std::shared_ptr<Link> to(const ibv_gid& gid, uint32_t qpn);
  /// A link on which everything vanishes.
  std::shared_ptr<Link> toNobody();
  void add(std::shared_ptr<Link> link) { links_.push_back(std::move(link)); }

  /// Whether peers have shown rings since accept() looked.
  bool someShown() const;
  /// Opens the rings that peers have shown. What there was nothing left to open with is tried again
  /// at the ticks, until it can be.
  void accept();
  bool someNotOpened() const { return someNotOpened_; }
  /// Whether a ring has something unread, or has just been shown.
  bool haveArrivals() const;
  /// Whether anything of ours waits for a peer.
  bool waitForPeers() const;
  /// Wakes peers that have not read everything, and looks whether they are still there.
  void remindPeers();
  /// Whether no thread of the process that has, or had, the port in a slot runs any more.
  bool portEnded(uint32_t slot) const;
  /// Wakes peers that sleep: they may have mapped what has been freed.
  void tellFreed() const;
  /// Whether peers have freed memory since dropFreed().
  bool someFreed() const;
  /// Gives back the mappings of memory that peers have freed.
  void dropFreed();
  /// Gives back the links to peers that are gone, as far as nothing uses them and nothing is unread
  /// in them. Not while somebody walks through the links.
  void reap();

  size_t size() const { return links_.size(); }
  Link& operator[](size_t place) const { return *links_[place]; }
  auto begin() const { return links_.begin(); }
  auto end() const { return links_.end(); }

 private:
  std::shared_ptr<Link> toPortOfFolder(uint32_t slot);
  std::shared_ptr<Link> toPort(host::SharedFile port, uint32_t slot);
  host::SharedFile openPort(uint32_t slot) const;
  std::shared_ptr<ShmLink> findLiving(uint32_t slot) const;
  void tryAgain();
  std::shared_ptr<ShmLink> find(uint32_t slot, uint64_t incarnation) const;

  Context& context_;
  std::vector<std::shared_ptr<Link>>
      links_;                       // shared with the queue pairs and routes that use them
  std::shared_ptr<Link> deadLink_;  // of all that were connected to nobody
  uint32_t changesSeen_ = 0;        // of PortMemory::inbound
  bool someNotOpened_ = false;      // of what was seen there
};

}  // namespace verbena::softnic
