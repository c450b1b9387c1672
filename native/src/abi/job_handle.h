// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "job/job.h"
#include "verbena/job.h"

struct vbn_job {
  std::shared_ptr<verbena::job::Job> inside;  // a node of the rank uses it, too
};
