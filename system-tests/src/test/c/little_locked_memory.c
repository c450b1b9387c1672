/* SPDX-License-Identifier: Apache-2.0
 *
 * libverbena on a host whose kernel has a verbs device and lets its users lock little memory: what
 * it exports is the library's own, which this is linked with, but for these three.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

#include "verbena.h"

static const char* const kSentence =
    "cannot register 67108864 bytes on mlx5_0: ENOMEM; locked-memory limit is 65536 bytes, raise it"
    " with 'ulimit -l 131072' (docs/tuning.md#memlock)";

typedef vbn_status (*DevicesPort)(const vbn_devices*, uint32_t, vbn_port*);

vbn_status vbn_devices_port(const vbn_devices* found, uint32_t row, vbn_port* port) {
  DevicesPort own;
  *(void**)&own = dlsym(RTLD_NEXT, "vbn_devices_port");
  vbn_status status = own(found, row, port);
  strcpy(port->provider, "libibverbs");
  return status;
}

vbn_status vbn_endpoint_open(const vbn_endpoint_options* options, vbn_endpoint** opened) {
  (void)options;
  (void)opened;
  return VBN_FAILED;
}

const char* vbn_error(void) {
  return kSentence;
}
