// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/fork.h"
#include "job/job.h"
#include "verbena/job.h"

struct vbn_job {
  verbena::base::InUse inUse{};
  std::shared_ptr<verbena::job::Job> inside{};  // a node of the rank uses it, too
};
