// SPDX-License-Identifier: Apache-2.0
//
// The folder through which the ports of one user on one host find each other.
//
//   port-SLOT                 one per open context; locked (flock) for the life of its owner
//   ring-FROM-TO-READER-WRITER  packets from one port to another, named by slots and incarnations;
//                             removed once both have it mapped
//   seg-NUMBER-INCARNATION    memory that peers may map (alloc_shareable)
//   id                        random; part of the GID of all ports that lie beside it
//   lock                      held while a slot is taken or leftovers are swept
//
// A lock is freed by the kernel when its process dies, however it dies and in whatever process
// namespace it lived, so a file whose port is not locked is a leftover. Whoever opens a context
// sweeps them.
#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <optional>
#include <string>

#include "host/segment.h"
#include "host/shared_file.h"
#include "softnic/memory/port_memory.h"

namespace verbena::softnic {

class Folder {
 public:
  /// VERBENA_SOFTNIC_DIR, else /dev/shm/verbena-softnic-UID, else the same in /tmp.
  static std::string chosenPath();
  /// Makes that folder (0700); refuses one that belongs to somebody else. Nothing and errno on
  /// failure.
  static std::optional<Folder> open();

  const std::string& path() const { return path_; }
  /// The same for every port of this folder, different for every other host and folder, and for
  /// this one once it was emptied.
  ibv_gid gid() const;

  /// Sweeps leftovers, then takes a free slot from `lowest` on: the new port's file, locked, with
  /// slot and incarnation filled in. Empty and errno on failure.
  host::SharedFile takeSlot(uint32_t lowest = 0) const;
  /// The port in `slot` if its owner lives. Empty and errno otherwise: EHOSTUNREACH if it does not,
  /// or what was exhausted.
  host::SharedFile openPort(uint32_t slot) const;

  std::string portPath(uint32_t slot) const;
  std::string ringPath(uint32_t from, uint64_t writerIncarnation, uint32_t to,
                       uint64_t readerIncarnation) const;
  /// Where the segments of a port lie.
  host::SegmentSpace segments(uint64_t incarnation) const { return {path_, incarnation}; }

 private:
  explicit Folder(std::string path) : path_(std::move(path)) {}
  bool name() const;
  void sweep() const;
  host::SharedFile createPort(uint32_t slot) const;

  std::string path_;
};

}  // namespace verbena::softnic
