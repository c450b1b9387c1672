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
/// verbena-run takes those of the others from its ranks, so beside its own they are of a job
/// within.
constexpr std::array kStarters = {
    Starter{hasPmixStarted, joinPmix},
    Starter{hasSlurmStarted, joinSlurm},
    Starter{hasVerbenaRunStarted, joinVerbenaRun},
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
