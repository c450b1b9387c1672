// SPDX-License-Identifier: Apache-2.0
//
// Names of the enumerations of verbs, as the specification spells them. libibverbs has such
// functions too, but a message must be readable on a machine without it.
#pragma once

#include <infiniband/verbs.h>

#include <string>

namespace verbena::verbs {

const char* stateName(ibv_port_state state);
const char* stateName(ibv_qp_state state);
const char* typeName(ibv_qp_type type);
const char* linkLayerName(uint8_t linkLayer);
const char* gidTypeName(uint32_t gidType);
const char* statusName(ibv_wc_status status);
const char* opcodeName(ibv_wc_opcode opcode);
const char* eventName(ibv_event_type event);

/// 256, 512, … 4096; 0 for a value that is none.
unsigned mtuBytes(ibv_mtu mtu);

/// "10.99.0.1" for an IPv4-mapped GID, otherwise as an IPv6 address is written.
std::string gidText(const ibv_gid& gid);

}  // namespace verbena::verbs
