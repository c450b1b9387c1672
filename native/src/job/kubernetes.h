// SPDX-License-Identifier: Apache-2.0
//
// Ranks that are the pods of an indexed job in Kubernetes: by the variable that it sets, and those
// of the manifest (docs/launch.md).
#pragma once

#include "base/result.h"
#include "job/membership.h"
#include "job/sockets.h"

namespace verbena::job {

bool hasKubernetesStarted(const Variables& variables);
base::Result<Membership> joinKubernetes(const Variables& variables);

/// All but the address of its host.
base::Result<Place> placeFromKubernetes(const Variables& variables);
/// "verbena-{}.verbena": the name of a rank's host.
base::Result<std::string> hostOf(uint32_t rank, const std::string& pattern);

}  // namespace verbena::job
