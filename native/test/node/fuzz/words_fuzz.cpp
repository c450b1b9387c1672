// SPDX-License-Identifier: Apache-2.0
#include "words_fuzz.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>

#include "base/descriptor.h"
#include "connect/packet.h"
#include "fabric/one_sided_link.h"
#include "fabric/region_key.h"
#include "fifo/ring.h"
#include "fifo/words.h"
#include "softnic/wire/handshake.h"
#include "streams/terms.h"

namespace verbena::node::testing {
namespace {

using Words = std::span<const std::byte>;

void require(bool condition) {
  if (!condition) std::abort();
}

void readAsKey(Words words) {
  auto key = fabric::RegionKey::of(words);
  if (!key) return;
  require(std::ranges::equal(key->bytes(), words));
  require((key->access & ~fabric::kAllAccess) == 0);
  require(key->address + key->length >= key->address);
}

void readAsEnd(Words words) {
  connect::LinkEnd end(words);
  if (auto queuePair = fabric::QueuePairEnd::of(2, end)) {
    require(queuePair->with(fabric::QueuePairEnd::termsOf(end)) == end);
  }
  if (auto far = fabric::OneSidedLink::judged(2, end)) {
    require(far->end.maxReadsServed != 0 && far->signals <= INT16_MAX);
  }
  if (auto terms = streams::Terms::of(2, fabric::QueuePairEnd::termsOf(end))) {
    require(std::ranges::equal(terms->bytes(), fabric::QueuePairEnd::termsOf(end)));
  }
}

void readAsRing(Words words) {
  auto ring = fifo::RingWords::ofReader(words);
  if (ring) require(fifo::isCapacity(ring->capacity()));
}

void readAsPacket(Words words) {
  connect::Received received = connect::decode(words, std::nullopt);
  if (received.verdict != connect::Received::Verdict::good) return;
  connect::Datagram again = connect::encode(received.packet, std::nullopt);
  connect::Received twice = connect::decode(again, std::nullopt);
  require(twice.verdict == connect::Received::Verdict::good &&
          twice.packet.end == received.packet.end);
  require(received.proved == received.hasNoProof);
  // Nobody who has no key proves one: 32 bytes are not guessed.
  static const std::optional<base::Hmac> kKey(Words(reinterpret_cast<const std::byte*>("key"), 3));
  require(!connect::decode(words, kKey).proved);
}

/// One side of the wire's handshake hears the bytes, and then an end. It knows a key.
template <typename Side>
typename Side::State lastState(Side& side, Words words) {
  int ends[2];
  require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
  base::FileDescriptor ours(ends[0]), theirs(ends[1]);
  auto state = side.advance(ours);
  require(send(theirs.get(), words.data(), words.size(), MSG_NOSIGNAL) ==
          static_cast<ssize_t>(words.size()));
  for (int i = 0; i < 4; i++) state = side.advance(ours);
  return state;
}

void readAsHandshake(Words words) {
  using softnic::Accepting;
  using softnic::Dialling;
  static const softnic::Proofs kProofs(Words(reinterpret_cast<const std::byte*>("key"), 3));
  Dialling dialling(kProofs, {softnic::kHelloMagic, {1, 1, 0, {}}, {2, 2, 0, {}}, {}, 0, 0});
  require(lastState(dialling, words) != Dialling::State::Accepted);
  Accepting accepting(kProofs, {2, 2, 0, {}});
  require(lastState(accepting, words) != Accepting::State::Proven);
}

}  // namespace

void readAsWords(const uint8_t* bytes, size_t count) {
  if (count == 0) return;
  // No byte more than there are: whoever reads on is caught.
  std::unique_ptr<std::byte[]> exact(new std::byte[count - 1]);
  std::memcpy(exact.get(), bytes + 1, count - 1);
  Words words(exact.get(), count - 1);
  switch (bytes[0] % 5) {
    case 0: return readAsKey(words);
    case 1: return readAsEnd(words);
    case 2: return readAsRing(words);
    case 3: return readAsPacket(words);
    default: return readAsHandshake(words);
  }
}

}  // namespace verbena::node::testing

#ifdef VERBENA_FUZZER_MAIN
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  verbena::node::testing::readAsWords(bytes, count);
  return 0;
}
#endif
