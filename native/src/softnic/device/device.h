// SPDX-License-Identifier: Apache-2.0
//
// The device list and what the device and its port say about themselves (ibv_query_*).
#pragma once

#include <infiniband/verbs.h>

#include <string>

#include "verbs/wiring.h"

namespace verbena::softnic {

ibv_device** getDeviceList(int* count);
void freeDeviceList(ibv_device** list);
const char* getDeviceName(ibv_device* device);
__be64 getDeviceGuid(ibv_device* device);
ibv_context* openDevice(ibv_device* device);
ibv_context* openWired(ibv_device* device, const verbs::Wiring& wiring);
std::string explain(ibv_context* context, int code);
int closeDevice(ibv_context* context);
int queryDevice(ibv_context* context, ibv_device_attr* attributes);
int queryDeviceEx(ibv_context* context, const ibv_query_device_ex_input* input,
                  ibv_device_attr_ex* attributes);
int queryPort(ibv_context* context, uint8_t port, ibv_port_attr* attributes);
int queryGid(ibv_context* context, uint8_t port, int index, ibv_gid* gid);
int queryGidEx(ibv_context* context, uint32_t port, uint32_t index, ibv_gid_entry* entry,
               uint32_t flags);
int queryPkey(ibv_context* context, uint8_t port, int index, __be16* pkey);

}  // namespace verbena::softnic
