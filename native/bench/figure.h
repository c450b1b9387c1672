// SPDX-License-Identifier: Apache-2.0
//
// What vbn-fabric-perf and vbn-channel-perf tell: a line for each thing measured, for people or as
// JSON (docs/benchmarks.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace verbena::bench {

/// Something measured in several rounds, each perhaps beside a round of something else.
struct Figure {
  std::string what;
  uint64_t bytes;
  std::string way;   ///< the device, or what carries it else
  const char* unit;  ///< "ns", "1/s" or "B/s"
  std::vector<double> values = {};
  const char* beside = nullptr;           ///< what its partner is; null for none
  std::vector<double> besideValues = {};  ///< one for each value, in the same unit
};

constexpr int kPairs = 15;
constexpr int kWarmUpPairs = 2;  ///< before them, that do not count

/// Runs rounds of one and of the other in turn. Who goes first changes from pair to pair.
template <typename One, typename Other>
void runPairs(Figure& figure, One one, Other other) {
  for (int pair = -kWarmUpPairs; pair < kPairs; pair++) {
    bool first = pair % 2 == 0;
    double before = first ? one() : other();
    double behind = first ? other() : one();
    if (pair < 0) continue;
    figure.values.push_back(first ? before : behind);
    figure.besideValues.push_back(first ? behind : before);
  }
}

/// The same without a partner.
template <typename Round>
void runRounds(Figure& figure, Round round) {
  runPairs(figure, round, [] { return 0.0; });
  figure.besideValues.clear();
}

void tell(const Figure& figure, bool json);

}  // namespace verbena::bench
