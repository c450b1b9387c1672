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

#ifdef __cplusplus
}
#endif

#endif
