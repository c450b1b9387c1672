// SPDX-License-Identifier: Apache-2.0
#include "softnic/device/device.h"

#include <endian.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>

#include "base/shortage.h"
#include "softnic/device/context.h"
#include "softnic/device/limits.h"
#include "softnic/memory/no_memory.h"

namespace verbena::softnic {
namespace {

constexpr uint8_t kOnlyPort = 1;
constexpr uint16_t kDefaultPkey = 0xffff;
constexpr uint8_t kPhysicallyUp = 5;
constexpr uint8_t kWidth4x = 2;
constexpr uint8_t kSpeedHdr = 64;  // 4 x 50 Gb/s: about what one core copies

ibv_device* theDevice() {
  static ibv_device* device = [] {
    static ibv_device made{};
    made.node_type = IBV_NODE_CA;
    made.transport_type = IBV_TRANSPORT_IB;
    std::snprintf(made.name, sizeof made.name, "softnic0");
    return &made;
  }();
  return device;
}

}  // namespace

ibv_device** getDeviceList(int* count) {
  auto** list = new (std::nothrow) ibv_device* [2] { theDevice(), nullptr };
  if (list == nullptr) errno = ENOMEM;
  if (count != nullptr) *count = list != nullptr ? 1 : 0;
  return list;
}

void freeDeviceList(ibv_device** list) {
  delete[] list;
}

const char* getDeviceName(ibv_device* device) {
  return device->name;
}

/// Of the folder, so that all processes that can reach each other see the same device.
__be64 getDeviceGuid(ibv_device*) {
  return orNoMemory(__be64{0}, [] {
    std::optional<Folder> folder = Folder::open();
    return folder ? folder->gid().global.interface_id : 0;
  });
}

ibv_context* openDevice(ibv_device* device) {
  return orNoMemory<ibv_context*>(nullptr, [&] { return Context::open(device, {}); });
}

ibv_context* openWired(ibv_device* device, const verbs::Wiring& wiring) {
  return orNoMemory<ibv_context*>(nullptr, [&] { return Context::open(device, wiring); });
}

std::string explain(ibv_context* handle, int code) {
  std::string folder = handle == nullptr ? Folder::chosenPath() : contextOf(handle).folder->path();
  switch (code) {
    case ENETUNREACH:
      return "softnic's folder " + folder +
             " is not the peer's, or that has another version: set one VERBENA_SOFTNIC_DIR for all "
             "processes of a host, and VERBENA_SOFTNIC_TCP, or what the configuration has for it, "
             "for those of several";
    case ESTALE:
      return "softnic's folder " + folder +
             " was emptied since this process opened its device, so processes from before and "
             "after that do not meet: start them anew; systemd empties /dev/shm when a user's last "
             "session ends, unless 'loginctl enable-linger' is set for the user";
    case EACCES:
    case EPERM:
    case EROFS:
    case ENOENT:
    case ENOTDIR:
    case ELOOP:
    case ENAMETOOLONG:
      if (handle != nullptr) return "";
      return "softnic's folder is " + folder +
             ", which has to belong to this user alone (mode 700) and to take files; "
             "VERBENA_SOFTNIC_DIR names another one";
    default: return base::adviceOnShortage(code, folder);
  }
}

int closeDevice(ibv_context* context) {
  delete &contextOf(context);
  return 0;
}

int queryDevice(ibv_context* handle, ibv_device_attr* attributes) {
  Context& context = contextOf(handle);
  *attributes = {};
  std::snprintf(attributes->fw_ver, sizeof attributes->fw_ver, "1");
  attributes->node_guid = context.port().gids[0].global.interface_id;
  attributes->sys_image_guid = attributes->node_guid;
  attributes->max_mr_size = UINT64_MAX;
  attributes->page_size_cap = 4096;
  attributes->max_qp = kQpsPerPort - kFirstQpIndex;
  attributes->max_qp_wr = kMaxWorkRequests;
  attributes->device_cap_flags =
      IBV_DEVICE_CURR_QP_STATE_MOD | IBV_DEVICE_RC_RNR_NAK_GEN | IBV_DEVICE_PORT_ACTIVE_EVENT;
  attributes->max_sge = kMaxSge;
  attributes->max_sge_rd = kMaxSge;
  attributes->max_cq = 1 << 16;
  attributes->max_cqe = kMaxCompletions;
  attributes->max_mr = kRegionsPerPort - 1;
  attributes->max_pd = 1 << 16;
  attributes->max_qp_rd_atom = kMaxReads;
  attributes->max_res_rd_atom = static_cast<int>(kMaxReads * (kQpsPerPort - kFirstQpIndex));
  attributes->max_qp_init_rd_atom = kMaxReads;
  attributes->atomic_cap =
      context.ports.atomics == Atomics::OfProcessors ? IBV_ATOMIC_GLOB : IBV_ATOMIC_HCA;
  attributes->max_ah = 1 << 16;
  attributes->max_srq = 1 << 16;
  attributes->max_srq_wr = kMaxWorkRequests;
  attributes->max_srq_sge = kMaxSge;
  attributes->max_pkeys = 1;
  attributes->phys_port_cnt = 1;
  return 0;
}

int queryDeviceEx(ibv_context* context, const ibv_query_device_ex_input* input,
                  ibv_device_attr_ex* attributes) {
  if (input != nullptr && input->comp_mask != 0) return EINVAL;
  std::memset(attributes, 0, sizeof *attributes);
  return queryDevice(context, &attributes->orig_attr);
}

int queryPort(ibv_context* handle, uint8_t port, ibv_port_attr* attributes) {
  if (port != kOnlyPort) return EINVAL;
  Context& context = contextOf(handle);
  std::lock_guard guard(context.lock);
  *attributes = {};
  attributes->state = context.portUp ? IBV_PORT_ACTIVE : IBV_PORT_DOWN;
  attributes->max_mtu = IBV_MTU_4096;
  attributes->active_mtu = IBV_MTU_4096;
  attributes->gid_tbl_len = kMaxGids;
  attributes->max_msg_sz = kMaxMessageBytes;
  attributes->pkey_tbl_len = 1;
  attributes->active_width = kWidth4x;
  attributes->active_speed = kSpeedHdr;
  attributes->phys_state = kPhysicallyUp;
  attributes->link_layer = IBV_LINK_LAYER_ETHERNET;
  return 0;
}

int queryGid(ibv_context* context, uint8_t port, int index, ibv_gid* gid) {
  if (port != kOnlyPort || index < 0 || static_cast<uint32_t>(index) >= kMaxGids) {
    errno = EINVAL;
    return -1;
  }
  *gid = contextOf(context).port().gids[index];  // zero if not in use, as in the kernel
  return 0;
}

int queryGidEx(ibv_context* context, uint32_t port, uint32_t index, ibv_gid_entry* entry,
               uint32_t flags) {
  if (port != kOnlyPort || index >= kMaxGids || flags != 0) return EINVAL;
  if (index >= contextOf(context).port().gidCount) return ENODATA;
  *entry = {};
  entry->gid = contextOf(context).port().gids[index];
  entry->gid_index = index;
  entry->port_num = port;
  entry->gid_type = IBV_GID_TYPE_ROCE_V2;
  return 0;
}

int queryPkey(ibv_context*, uint8_t port, int index, __be16* pkey) {
  if (port != kOnlyPort || index != 0) {
    errno = EINVAL;
    return -1;
  }
  *pkey = htobe16(kDefaultPkey);
  return 0;
}

}  // namespace verbena::softnic
