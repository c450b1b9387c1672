// SPDX-License-Identifier: Apache-2.0
#include "wire_fuzz.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "softnic/wire/ring.h"

namespace verbena::softnic::testing {
namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void checkPacket(const Packet& packet, const RingMemory& ring, uint64_t written) {
  if (packet.payload.empty()) return;
  // A ring that has grown goes on elsewhere.
  const std::byte* end = ring.data + kRingCapacityBytes;
  if (written < kFirstRingBytes) end = ring.data + kFirstRingBytes + written;
  require(packet.payload.data() >= ring.data &&
          packet.payload.data() + packet.payload.size() <= end);
  require(packet.payload.size() <= kFragmentBytes);
}

}  // namespace

void readAsWire(const uint8_t* bytes, size_t count) {
  auto ring = std::make_unique<RingMemory>();
  // The last two bytes say what the peer claims to have written, which may be more than it has.
  uint64_t claimed = count;
  if (count >= 2) claimed += bytes[count - 1] % 2 == 0 ? 0 : uint64_t{bytes[count - 2]} << 11;
  count = std::min<size_t>(count, kRingCapacityBytes);
  if (count != 0) std::memcpy(ring->data, bytes, count);
  ring->tail = claimed;
  RingReader reader(ring.get(), count % 2 == 0 ? RingPlaces() : RingPlaces::first());
  Packet packet;
  uint64_t steps = 0;
  while (reader.next(packet) == RingReader::State::Packet) {
    checkPacket(packet, *ring, claimed);
    reader.consume(packet);
    require(++steps <= claimed / kPacketAlignment);
  }
  reader.release();
}

}  // namespace verbena::softnic::testing

#ifdef VERBENA_FUZZER_MAIN
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  verbena::softnic::testing::readAsWire(bytes, count);
  return 0;
}
#endif
