// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"

namespace verbena::job {

/// The address of this host that ranks are to listen at. `wanted`: the name of an interface, or a
/// network, "10.1.0.0/16", in which it is to lie; where it is empty, the address at which ssh was
/// reached (`sshConnection`, its variable), else the first of a network that is up.
base::Result<std::string> hostAddress(const std::string& wanted, const char* sshConnection);

}  // namespace verbena::job
