// SPDX-License-Identifier: Apache-2.0
#include "job/starters.h"

#include <array>
#include <string>
#include <string_view>

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

/// How many processes others say that they have started, in ways of their own: MPICH's hydra and
/// its kin, Open MPI without PMIx, MVAPICH.
constexpr std::array kSizesOfOthers = {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "MV2_COMM_WORLD_SIZE"};

base::Error noStarter(const char* variable, const std::string& why) {
  return wrongVariable(variable,
                       why +
                           ", and who has started it is none of verbena-run, a starter with PMIx "
                           "('mpirun' of Open MPI, 'srun --mpi=pmix'), srun and an indexed job of "
                           "Kubernetes; to run alone, unset it ('env -u " +
                           variable + "')");
}

/// N processes that each took themselves for alone would do the same work N times, in silence.
base::Result<void> checkAlone(const Variables& variables) {
  for (const char* name : {"PMIX_RANK", "PMIX_NAMESPACE"}) {
    if (variables(name) != nullptr) return noStarter(name, "the other half of PMIx's is not set");
  }
  for (const char* name : kSizesOfOthers) {
    const char* size = variables(name);
    bool isOne = size == nullptr || std::string_view(size) == "1";
    if (!isOne) return noStarter(name, "this is one of '" + std::string(size) + "' processes");
  }
  return {};
}

}  // namespace

base::Result<Membership> join(const Variables& variables) {
  for (const Starter& starter : kStarters) {
    if (starter.hasStarted(variables)) return starter.join(variables);
  }
  auto isAlone = checkAlone(variables);
  if (!isAlone) return isAlone.error();
  return joinNobody();
}

}  // namespace verbena::job
