/* SPDX-License-Identifier: Apache-2.0
 *
 * The C ABI of libverbena: everything the library exports.
 */
#ifndef VERBENA_H
#define VERBENA_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define VBN_NOEXCEPT noexcept
#else
#define VBN_NOEXCEPT
#endif

#define VBN_API __attribute__((visibility("default")))

/** The version of this header. Functions and trailing struct members are only ever added within one
 * version. */
#define VBN_ABI_VERSION 1u

/** The version of the loaded library; a caller refuses one that differs from its VBN_ABI_VERSION.
 */
VBN_API uint32_t vbn_abi_version(void) VBN_NOEXCEPT;

/* ---- status ------------------------------------------------------------------------------------
 */

typedef int32_t vbn_status;
#define VBN_OK 0
#define VBN_INVALID 1 /**< an argument is null, out of range, or of a size that is not known */
#define VBN_FAILED 2  /**< it could not be done; vbn_error() says why */

/** Why the last call of this thread that did not return VBN_OK failed; "" before the first. Valid
 * until the thread's next call that fails. */
VBN_API const char* vbn_error(void) VBN_NOEXCEPT;

/* ---- devices -----------------------------------------------------------------------------------
 *
 * Structures begin with their size, which the caller sets: a library that knows more members fills
 * in only those the caller has room for. Texts are UTF-8 and end with a zero byte. */

/** What the user has set; everything else is chosen. */
typedef struct vbn_wishes {
  uint32_t struct_bytes;
  uint32_t port;         /**< counts from 1; 0 for any */
  const char* device;    /**< its name, or its provider's ("softnic"); null or "" for any */
  int32_t gid_index;     /**< -1 for any */
  uint32_t family;       /**< of the GID: 4, 6, or 0 for any */
  int32_t pkey;          /**< -1 for any */
  int32_t service_level; /**< -1 for the default */
  uint32_t mtu_bytes;    /**< 256 to 4096; 0 for the port's */
  uint32_t reserved;     /**< 0 */
} vbn_wishes;

/** One port of a device. */
typedef struct vbn_port {
  uint32_t struct_bytes;
  uint32_t port; /**< counts from 1 */
  char device[64];
  char provider[32];
  uint64_t node_guid;
  uint32_t state;      /**< as in verbs: 1 down, 2 initializing, 3 armed, 4 active */
  uint32_t link_layer; /**< 1 InfiniBand, 2 Ethernet */
  uint32_t lid;        /**< 0 on RoCE */
  uint32_t mtu_bytes;
  double gigabits_per_second;
  uint32_t gid_count;
  uint32_t
      usable; /**< 1 when it meets the wishes; else vbn_devices_hindrance() says what does not */
  uint32_t chosen; /**< 1 for one port at most */
  uint32_t max_queue_pairs;
  uint32_t max_work_requests; /**< of one queue */
  uint32_t max_sge;
  uint32_t max_completions; /**< of one completion queue */
  uint32_t max_shared_receives;
  uint64_t max_region_bytes;
} vbn_port;

typedef struct vbn_gid {
  uint32_t struct_bytes;
  uint32_t index;
  uint8_t raw[16];
  char text[48]; /**< "10.0.0.1", "fe80::1" */
  char type[16]; /**< "RoCE v2", "RoCE v1", "InfiniBand" */
  uint32_t chosen;
  uint32_t reserved;
} vbn_gid;

/** What was found at one moment. Read by any number of threads, freed by one. */
typedef struct vbn_devices vbn_devices;

/** Looks at all devices and chooses as `wishes` say (null for none). That there are no devices is
 * not a failure: the reasons tell. May take milliseconds for each device. */
VBN_API vbn_status vbn_devices_survey(const vbn_wishes* wishes, vbn_devices** found) VBN_NOEXCEPT;
/** Null is let pass. */
VBN_API void vbn_devices_free(vbn_devices* found) VBN_NOEXCEPT;

VBN_API uint32_t vbn_devices_port_count(const vbn_devices* found) VBN_NOEXCEPT;
VBN_API vbn_status vbn_devices_port(const vbn_devices* found, uint32_t row,
                                    vbn_port* port) VBN_NOEXCEPT;
/** "" for a usable port, null for a row that is not there. Valid until `found` is freed, like all
 * below. */
VBN_API const char* vbn_devices_hindrance(const vbn_devices* found, uint32_t row) VBN_NOEXCEPT;
VBN_API vbn_status vbn_devices_gid(const vbn_devices* found, uint32_t row, uint32_t number,
                                   vbn_gid* gid) VBN_NOEXCEPT;

/** The sentences of why the port was chosen, or why none could be; null behind the last. */
VBN_API const char* vbn_devices_reason(const vbn_devices* found, uint32_t number) VBN_NOEXCEPT;
/** What hinders this process apart from single ports: no libibverbs, no permission, a low limit of
 * locked memory. Null behind the last. */
VBN_API const char* vbn_devices_trouble(const vbn_devices* found, uint32_t number) VBN_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
