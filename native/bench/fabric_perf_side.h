// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "device_options.h"
#include "forked.h"
#include "verbena/fabric.h"
#include "wire_of_tcp.h"

namespace verbena::bench {

constexpr const char* kFabricPerf = "vbn-fabric-perf";
constexpr uint64_t kRegionBytes = 16 << 20;

void must(vbn_status status);

/// One process's node and memory.
class Side {
 public:
  Side(const std::string& device, uint32_t id, const WireOfTcp* tcp);
  ~Side();
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;

  vbn_fabric* node = nullptr;
  vbn_region* region = nullptr;
};

/// What the target tells the measuring process.
struct Introduction {
  char address[64];
  uint8_t key[VBN_KEY_BYTES];
};

/// The process whose memory is worked on. It sleeps.
class Target {
 public:
  /// @param tcp null to share memory where the device does
  Target(const std::string& device, const WireOfTcp* tcp);
  ~Target();
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;

  Introduction introduction() const;

 private:
  int line_[2] = {-1, -1};
  std::optional<Forked> process_;
};

/// Operations on a target's memory.
class Measured {
 public:
  Measured(const std::string& device, const Target& target, const WireOfTcp* tcp);
  ~Measured();
  Measured(const Measured&) = delete;
  Measured& operator=(const Measured&) = delete;

  vbn_operation operation(uint32_t kind, uint64_t bytes) const;
  /// The i-th place for so many bytes, at both ends the same.
  vbn_operation at(uint32_t kind, uint64_t bytes, uint64_t i) const;
  /// The memory at this end.
  std::span<std::byte> memory(uint64_t bytes, uint64_t i) const;

  /// Posts one and asks until it is done.
  void run(const vbn_operation& one);
  /// Posts as many as there is room for; returns how many.
  uint32_t post(std::span<const vbn_operation> some);
  /// Asks once; returns how many are done.
  uint32_t poll();

  /// Memory of the same kind that is nobody else's: what it is copied to without a fabric.
  std::span<std::byte> elsewhere(uint64_t bytes, uint64_t i) const;

 private:
  Side side_;
  vbn_region* elsewhere_ = nullptr;
  vbn_remote* remote_ = nullptr;
  uint64_t link_ = 0;
};

}  // namespace verbena::bench
