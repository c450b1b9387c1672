// SPDX-License-Identifier: Apache-2.0
//
// The halves of keys that nobody guesses.
#pragma once

#include <cstdint>

#include "base/sha256.h"

namespace verbena::softnic {

/// A key says where its region is in the port's table; its low half is a tag. The regions that
/// follow one another at an index have tags in an order that only this port knows, and none comes
/// again before all others have: a key that was revoked does not fit by chance what is there now.
class KeyTags {
 public:
  KeyTags();
  /// The tag of the region that is the use-th one at this index.
  uint32_t of(uint32_t index, uint32_t use) const;

 private:
  base::Hmac secret_;
};

}  // namespace verbena::softnic
