// SPDX-License-Identifier: Apache-2.0
//
// The states of a queue pair and the ways between them.
#pragma once

#include "softnic/objects/queue_pair.h"

namespace verbena::softnic {

/// ibv_modify_qp under the port's lock: checks the change as a whole, then applies it. Returns
/// an errno; nothing has changed unless it is 0.
int changeState(QueuePair& qp, const ibv_qp_attr& wanted, int mask);

/// Forgets everything posted and everything known of the peer: the state RESET. No thread may be at
/// a long copy for it (endLongCopy()).
void resetQp(QueuePair& qp);

}  // namespace verbena::softnic
