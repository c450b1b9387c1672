// SPDX-License-Identifier: Apache-2.0
#include "job/starters.h"

#include <array>

#include "job/alone.h"
#include "job/kubernetes.h"
#include "job/pmix.h"
#include "job/slurm.h"
#include "job/verbena_run.h"

namespace verbena::job {
namespace {

struct Starter {
  bool (*hasStarted)(const Variables& variables);
  base::Result<Membership> (*join)(const Variables& variables);
};

/// Who starts within another one's job stands before it: its variables are the newer ones.
constexpr std::array kStarters = {
    Starter{hasVerbenaRunStarted, joinVerbenaRun},
    Starter{hasPmixStarted, joinPmix},
    Starter{hasSlurmStarted, joinSlurm},
    Starter{hasKubernetesStarted, joinKubernetes},
};

}  // namespace

base::Result<Membership> join(const Variables& variables) {
  for (const Starter& starter : kStarters) {
    if (starter.hasStarted(variables)) return starter.join(variables);
  }
  return joinNobody();
}

}  // namespace verbena::job
