// SPDX-License-Identifier: Apache-2.0
//
// The functions of ibv_context.ops, with the signatures and meanings they have there.
#pragma once

#include <infiniband/verbs.h>

namespace verbena::softnic {

int postSend(ibv_qp* qp, ibv_send_wr* request, ibv_send_wr** bad);
int postReceive(ibv_qp* qp, ibv_recv_wr* request, ibv_recv_wr** bad);
int postSharedReceive(ibv_srq* srq, ibv_recv_wr* request, ibv_recv_wr** bad);
int pollCq(ibv_cq* cq, int count, ibv_wc* into);
int armCq(ibv_cq* cq, int solicitedOnly);

}  // namespace verbena::softnic
