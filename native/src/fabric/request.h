// SPDX-License-Identifier: Apache-2.0
//
// One-sided operations, as they are asked for and as they are told of.
#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <string>

#include "fabric/region.h"
#include "fabric/region_key.h"

namespace verbena::fabric {

enum class Operation : uint8_t {
  put,
  get,
  fetchAdd,
  compareSwap,
  flush,   ///< done when what was posted before it on the link is, and can be seen at the target
  signal,  ///< nothing but the signal of a put
};
const char* nameOf(Operation operation);
/// What a key has to allow for it (Access); 0 for one that needs no key.
uint8_t neededAccess(Operation operation);
inline bool isAtomic(Operation operation) {
  return operation == Operation::fetchAdd || operation == Operation::compareSwap;
}

/// One operation. Bounds are in bytes. A flush has a cookie and nothing else, a signal its value
/// and a cookie.
struct Request {
  Operation operation = Operation::put;
  bool fence = false;    ///< begins only when every get and atomic of its link before it is done
  bool signals = false;  ///< of a put: the target hears of it, behind the bytes (OneSided::signals)
  uint32_t signal = 0;   ///< what it hears
  const Region* local = nullptr;  ///< kept by the caller until the operation is done
  uint64_t localOffset = 0;
  RegionKey key{};
  uint64_t offset = 0;   ///< in what the key names
  uint64_t length = 0;   ///< of a put or get; an atomic has 8, or 4 where it goes by mapping
  uint64_t operand = 0;  ///< what is added, or compared
  uint64_t swap = 0;     ///< what is stored if the comparison holds
  uint64_t cookie = 0;   ///< comes back in Done
};

/// How an operation ended (docs/fabric.md, "What is promised").
struct Done {
  enum class Outcome : uint8_t {
    done,     ///< executed; a get or an atomic has its result in the local region
    refused,  ///< by a device: it was not executed, but some or all bytes of a put or get may have
              ///< moved
    unknown,  ///< the link ended first: it may or may not have been executed
  };
  uint64_t cookie;
  uint64_t offset;  ///< as they were asked for
  uint64_t length;
  uint32_t rkey;
  connect::NodeId peer;
  Outcome outcome;
  Operation operation;
  ibv_wc_status status;  ///< of the device, for the curious

  /// What became of what, for people.
  std::string sentence() const;
};

}  // namespace verbena::fabric
