// SPDX-License-Identifier: Apache-2.0
#include "fabric/request.h"

#include "verbs/names.h"

namespace verbena::fabric {
namespace {

const char* meaningOf(Done::Outcome outcome) {
  switch (outcome) {
    case Done::Outcome::done: return "done";
    case Done::Outcome::refused: return "refused by a device; was the key revoked?";
    case Done::Outcome::unknown:
      return "the link ended first, so it may or may not have been executed";
  }
  return "?";
}

}  // namespace

const char* nameOf(Operation operation) {
  switch (operation) {
    case Operation::put: return "put";
    case Operation::get: return "get";
    case Operation::fetchAdd: return "fetch-and-add";
    case Operation::compareSwap: return "compare-and-swap";
    case Operation::flush: return "flush";
    case Operation::signal: return "signal";
  }
  return "?";
}

uint8_t neededAccess(Operation operation) {
  switch (operation) {
    case Operation::put: return kRemotePut;
    case Operation::get: return kRemoteGet;
    case Operation::fetchAdd:
    case Operation::compareSwap: return kRemoteAtomic;
    case Operation::flush:
    case Operation::signal: break;
  }
  return 0;
}

std::string Done::sentence() const {
  std::string what = nameOf(operation);
  if (operation != Operation::flush && operation != Operation::signal) {
    what += " of " + std::to_string(length) + " bytes at " + std::to_string(offset) + " of key " +
            std::to_string(rkey);
  }
  std::string end = what + " of node " + std::to_string(peer) + ": " + meaningOf(outcome);
  if (outcome != Outcome::done) end += std::string(" (") + verbs::statusName(status) + ")";
  return end;
}

}  // namespace verbena::fabric
