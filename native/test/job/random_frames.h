// SPDX-License-Identifier: Apache-2.0
//
// What a broken or hostile end of a job's stream may say: frames of which anything may be wrong.
#pragma once

#include <cstdint>
#include <iterator>
#include <random>
#include <string>

namespace verbena::job::testing {

/// Of kinds that there are and others, of ranks that there are and others, with numbers at the
/// limits of what is stored; the last one may be cut.
inline std::string randomFrames(uint64_t seed, uint32_t ranks) {
  std::mt19937_64 random(seed);
  auto oneOf = [&](const auto& values) { return values[random() % std::size(values)]; };
  auto number = [](uint32_t value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof value);
  };
  const uint32_t lengths[] = {0, 4, 8, 32, 496, 497, 70'000};
  const uint32_t values[] = {0,      1,       5,           255,         256,
                             0xFFFF, 0x10000, 0x7FFF'FFFF, 0x8000'0000, UINT32_MAX};
  const uint32_t toldOfRanks[] = {8, 11, 12};  // failed, published, ended
  const uint32_t strangers[] = {0, 1, ranks - 1, ranks, ranks + 1, 65'535, 65'536, UINT32_MAX};
  std::string all;
  for (uint64_t count = 1 + random() % 20; count > 0; count--) {
    std::string payload;
    for (uint32_t length = oneOf(lengths); payload.size() < length;)
      payload += number(oneOf(values));
    payload.resize(payload.size() - (payload.empty() ? 0 : random() % 4));
    bool isLie = random() % 16 == 0;
    uint32_t said = isLie ? oneOf(values) : static_cast<uint32_t>(payload.size());
    uint32_t kind = 2 + static_cast<uint32_t>(random() % 13);
    if (random() % 8 == 0) kind = oneOf(values);
    if (random() % 2 == 0) kind = oneOf(toldOfRanks);
    if (kind == 1) kind = 0;  // it would be an order to start ranks
    uint32_t rank = random() % 2 == 0 ? 1 : oneOf(strangers);
    all += number(said) + number(kind) + number(rank) + payload;
  }
  return random() % 4 == 0 ? all.substr(0, random() % all.size()) : all;
}

}  // namespace verbena::job::testing
