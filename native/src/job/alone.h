// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "job/bootstrap.h"

namespace verbena::job {

/// Of a program that nobody started as a job: it is one rank, and knows itself.
std::unique_ptr<Bootstrap> alone();

}  // namespace verbena::job
