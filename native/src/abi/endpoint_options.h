// SPDX-License-Identifier: Apache-2.0
//
// What a caller in C asks of an endpoint, checked.
#pragma once

#include "lanes/endpoint.h"
#include "verbena.h"

namespace verbena::abi {

/// Throws std::invalid_argument for what cannot be, naming it.
lanes::EndpointOptions toOptions(const vbn_endpoint_options* given);

}  // namespace verbena::abi
