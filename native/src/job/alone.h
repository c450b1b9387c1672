// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "job/membership.h"

namespace verbena::job {

/// A program that nobody started as a job is one rank.
Membership joinNobody();

/// Of a job of one rank, which knows itself.
std::unique_ptr<Bootstrap> alone();

}  // namespace verbena::job
