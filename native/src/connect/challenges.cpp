// SPDX-License-Identifier: Apache-2.0
#include "connect/challenges.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace verbena::connect {
namespace {

constexpr Time kBucket = Challenges::kLongestValid / 2;

uint64_t bucketOf(Time now) {
  return static_cast<uint64_t>(now / kBucket) + 1;  // so that there is always one before
}

/// Fixed-size values one after another. Never leaves this process, so the byte order is its own.
class Bytes {
 public:
  template <typename T>
  Bytes& add(const T& value) {
    static_assert(std::has_unique_object_representations_v<T> || std::is_same_v<T, in6_addr>);
    std::memcpy(bytes_.data() + used_, &value, sizeof value);
    used_ += sizeof value;
    return *this;
  }
  std::span<const std::byte> all() const { return std::span(bytes_).first(used_); }

 private:
  std::array<std::byte, 80> bytes_{};
  size_t used_ = 0;
};

}  // namespace

Nonce Challenges::inBucket(const Asked& asked, uint64_t bucket) const {
  Bytes bytes;
  bytes.add(asked.from.ip).add(asked.from.scope).add(asked.from.port).add(asked.peer);
  bytes.add(asked.incarnation).add(asked.dialler).add(asked.generation).add(bucket);
  Digest digest = key_.of(bytes.all());
  Nonce nonce;
  std::copy_n(digest.begin(), nonce.size(), nonce.begin());
  return nonce;
}

Nonce Challenges::nonce(const Asked& asked, Time now) const {
  return inBucket(asked, bucketOf(now));
}

bool Challenges::valid(const Nonce& nonce, const Asked& asked, Time now) const {
  uint64_t bucket = bucketOf(now);
  return equalInConstantTime(nonce, inBucket(asked, bucket)) ||
         equalInConstantTime(nonce, inBucket(asked, bucket - 1));
}

}  // namespace verbena::connect
