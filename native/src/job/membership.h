// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "job/bootstrap.h"
#include "job/surroundings.h"

namespace verbena::job {

/// What a process gets from whoever has started it as a rank.
struct Membership {
  Place place;
  std::string key;  ///< empty for a job of one rank that nobody has given a key
  std::unique_ptr<Bootstrap> bootstrap;
};

}  // namespace verbena::job
