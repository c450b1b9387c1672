// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "base/result.h"
#include "job/table.h"

namespace verbena::job {

/// How the ranks of a job learn of each other: whoever started them decides. Any thread.
class Bootstrap {
 public:
  virtual ~Bootstrap() = default;
  /// The address of this rank, which others are to learn.
  virtual base::Result<void> publish(std::span<const std::byte> address) = 0;
  /// What is known on this host.
  virtual const Table& table() const = 0;
};

}  // namespace verbena::job
