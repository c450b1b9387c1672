// SPDX-License-Identifier: Apache-2.0
//
// The control calls on the objects of an open device, with the signatures and meanings of the
// functions of libibverbs whose names they carry.
#pragma once

#include <infiniband/verbs.h>

namespace verbena::softnic {

ibv_pd* allocPd(ibv_context* context);
int deallocPd(ibv_pd* pd);
ibv_mr* regMr(ibv_pd* pd, void* address, size_t length, int access);
int deregMr(ibv_mr* mr);
void* allocShareable(ibv_context* context, size_t bytes);
void freeShareable(ibv_context* context, void* memory, size_t bytes);

ibv_comp_channel* createCompChannel(ibv_context* context);
int destroyCompChannel(ibv_comp_channel* channel);
ibv_cq* createCq(ibv_context* context, int entries, void* cqContext, ibv_comp_channel* channel,
                 int vector);
int resizeCq(ibv_cq* cq, int entries);
int destroyCq(ibv_cq* cq);
int getCqEvent(ibv_comp_channel* channel, ibv_cq** cq, void** cqContext);
void ackCqEvents(ibv_cq* cq, unsigned int count);

ibv_srq* createSrq(ibv_pd* pd, ibv_srq_init_attr* attributes);
int modifySrq(ibv_srq* srq, ibv_srq_attr* attributes, int mask);
int querySrq(ibv_srq* srq, ibv_srq_attr* attributes);
int destroySrq(ibv_srq* srq);

ibv_qp* createQp(ibv_pd* pd, ibv_qp_init_attr* attributes);
int modifyQp(ibv_qp* qp, ibv_qp_attr* attributes, int mask);
int queryQp(ibv_qp* qp, ibv_qp_attr* attributes, int mask, ibv_qp_init_attr* initial);
int destroyQp(ibv_qp* qp);

ibv_ah* createAh(ibv_pd* pd, ibv_ah_attr* attributes);
int initAhFromWc(ibv_context* context, uint8_t port, ibv_wc* completion, ibv_grh* grh,
                 ibv_ah_attr* attributes);
int destroyAh(ibv_ah* ah);

int getAsyncEvent(ibv_context* context, ibv_async_event* event);
void ackAsyncEvent(ibv_async_event* event);

}  // namespace verbena::softnic
