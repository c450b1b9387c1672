// SPDX-License-Identifier: Apache-2.0
#include "softnic/control/control.h"
#include "softnic/device/device.h"
#include "softnic/softnic.h"

namespace verbena::softnic {

const verbs::Provider& provider() {
  static const verbs::Provider table = {
      .name = "softnic",
      .get_device_list = getDeviceList,
      .free_device_list = freeDeviceList,
      .get_device_name = getDeviceName,
      .get_device_guid = getDeviceGuid,
      .open_device = openDevice,
      .close_device = closeDevice,
      .query_device = queryDevice,
      .query_device_ex = queryDeviceEx,
      .query_port = queryPort,
      .query_gid = queryGid,
      .query_gid_ex = queryGidEx,
      .query_pkey = queryPkey,
      .alloc_pd = allocPd,
      .dealloc_pd = deallocPd,
      .reg_mr = regMr,
      .dereg_mr = deregMr,
      .create_comp_channel = createCompChannel,
      .destroy_comp_channel = destroyCompChannel,
      .create_cq = createCq,
      .resize_cq = resizeCq,
      .destroy_cq = destroyCq,
      .get_cq_event = getCqEvent,
      .ack_cq_events = ackCqEvents,
      .create_srq = createSrq,
      .modify_srq = modifySrq,
      .query_srq = querySrq,
      .destroy_srq = destroySrq,
      .create_qp = createQp,
      .modify_qp = modifyQp,
      .query_qp = queryQp,
      .destroy_qp = destroyQp,
      .create_ah = createAh,
      .init_ah_from_wc = initAhFromWc,
      .destroy_ah = destroyAh,
      .get_async_event = getAsyncEvent,
      .ack_async_event = ackAsyncEvent,
      .open_wired = openWired,
      .explain = explain,
      .alloc_shareable = allocShareable,
      .free_shareable = freeShareable,
  };
  return table;
}

}  // namespace verbena::softnic
