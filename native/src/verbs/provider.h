// SPDX-License-Identifier: Apache-2.0
//
// What a verbs device is made of, apart from its data path.
//
// The data path needs no interface of ours: ibv_post_send, ibv_post_recv, ibv_post_srq_recv,
// ibv_poll_cq and ibv_req_notify_cq are inline functions of <infiniband/verbs.h> that jump through
// `context->ops`, so whoever makes the ibv_context also supplies its data path. The control calls
// are ordinary functions of libibverbs, which may not be there. A Provider holds one pointer for
// each of them that we use; the two providers are libibverbs, loaded at run time (libibverbs.h),
// and softnic (../softnic/softnic.h).
#pragma once

#include <infiniband/verbs.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "verbs/wiring.h"

namespace verbena::verbs {

/// The control calls of a verbs library. Each pointer is set, and each has the signature and the
/// meaning of the function ibv_<name> in libibverbs, its manual page included. Three conventions of
/// failure are in use there, and every provider keeps them, because code written for libibverbs
/// depends on them:
///
///   (null)   returns a null pointer and sets errno
///   (errno)  returns the error number itself; errno need not be set
///   (-1)     returns -1 and sets errno
///
/// Calls are thread safe, as in libibverbs, except that an object must not be used while or after
/// it is destroyed. A provider lives as long as the process.
struct Provider {
  /// How messages and listings call this provider: "libibverbs", "softnic".
  const char* name;

  // --- devices
  ibv_device** (*get_device_list)(int* num_devices);  // (null); an empty list is not an error
  void (*free_device_list)(ibv_device** list);
  const char* (*get_device_name)(ibv_device* device);
  __be64 (*get_device_guid)(ibv_device* device);
  ibv_context* (*open_device)(ibv_device* device);  // (null)
  int (*close_device)(ibv_context* context);        // (-1)

  // --- what a device and its ports can do
  int (*query_device)(ibv_context* context, ibv_device_attr* attr);  // (errno)
  int (*query_device_ex)(ibv_context* context, const ibv_query_device_ex_input* input,
                         ibv_device_attr_ex* attr);                                   // (errno)
  int (*query_port)(ibv_context* context, uint8_t port_num, ibv_port_attr* attr);     // (errno)
  int (*query_gid)(ibv_context* context, uint8_t port_num, int index, ibv_gid* gid);  // (-1)
  /// An entry that is not in use is ENODATA.
  int (*query_gid_ex)(ibv_context* context, uint32_t port_num, uint32_t gid_index,
                      ibv_gid_entry* entry, uint32_t flags);                           // (errno)
  int (*query_pkey)(ibv_context* context, uint8_t port_num, int index, __be16* pkey);  // (-1)

  // --- memory
  ibv_pd* (*alloc_pd)(ibv_context* context);  // (null)
  int (*dealloc_pd)(ibv_pd* pd);              // (errno) EBUSY while anything of it is left
  ibv_mr* (*reg_mr)(ibv_pd* pd, void* address, size_t length, int access);  // (null)
  int (*dereg_mr)(ibv_mr* mr);                                              // (errno)

  // --- completions
  ibv_comp_channel* (*create_comp_channel)(ibv_context* context);  // (null)
  int (*destroy_comp_channel)(ibv_comp_channel* channel);  // (errno) EBUSY while a CQ uses it
  ibv_cq* (*create_cq)(ibv_context* context, int cqe, void* cq_context, ibv_comp_channel* channel,
                       int comp_vector);  // (null)
  int (*resize_cq)(ibv_cq* cq, int cqe);  // (errno)
  int (*destroy_cq)(ibv_cq* cq);          // (errno) waits for its events to be acknowledged
  /// Blocks unless O_NONBLOCK is set on channel->fd, then EAGAIN.
  int (*get_cq_event)(ibv_comp_channel* channel, ibv_cq** cq, void** cq_context);  // (-1)
  void (*ack_cq_events)(ibv_cq* cq, unsigned int nevents);

  // --- shared receive queues
  ibv_srq* (*create_srq)(ibv_pd* pd, ibv_srq_init_attr* attr);             // (null)
  int (*modify_srq)(ibv_srq* srq, ibv_srq_attr* attr, int srq_attr_mask);  // (errno)
  int (*query_srq)(ibv_srq* srq, ibv_srq_attr* attr);                      // (errno)
  int (*destroy_srq)(ibv_srq* srq);                                        // (errno)

  // --- queue pairs
  ibv_qp* (*create_qp)(ibv_pd* pd, ibv_qp_init_attr* attr);        // (null); writes back attr->cap
  int (*modify_qp)(ibv_qp* qp, ibv_qp_attr* attr, int attr_mask);  // (errno)
  int (*query_qp)(ibv_qp* qp, ibv_qp_attr* attr, int attr_mask,
                  ibv_qp_init_attr* init_attr);  // (errno)
  int (*destroy_qp)(ibv_qp* qp);                 // (errno) waits for its events to be acknowledged

  // --- addresses of unreliable datagrams
  ibv_ah* (*create_ah)(ibv_pd* pd, ibv_ah_attr* attr);  // (null)
  int (*init_ah_from_wc)(ibv_context* context, uint8_t port_num, ibv_wc* wc, ibv_grh* grh,
                         ibv_ah_attr* attr);  // (-1)
  int (*destroy_ah)(ibv_ah* ah);              // (errno)

  // --- asynchronous events
  /// Blocks unless O_NONBLOCK is set on context->async_fd, then EAGAIN.
  int (*get_async_event)(ibv_context* context, ibv_async_event* event);  // (-1)
  void (*ack_async_event)(ibv_async_event* event);

  // --- not of libibverbs
  /// open_device with what the device is to know of its own wires. Kernel devices have none and
  /// take no notice. (null)
  ibv_context* (*open_wired)(ibv_device* device, const Wiring& wiring);
  /// What only this device knows about an errno of its own: how it came, and what to do. Empty:
  /// nothing.
  /// Of a device that could not be opened the context is null.
  std::string (*explain)(ibv_context* context, int code);
  /// Page-aligned, zeroed memory that suits this device best: softnic returns memory that a peer
  /// process can map, so that one-sided operations on it go directly; a kernel device takes any
  /// memory. (null)
  void* (*alloc_shareable)(ibv_context* context, size_t bytes);
  /// Frees what alloc_shareable returned, with the same size; no memory region may be left on it.
  void (*free_shareable)(ibv_context* context, void* memory, size_t bytes);
};

}  // namespace verbena::verbs
