// SPDX-License-Identifier: Apache-2.0
#include "fake_provider.h"

#include <arpa/inet.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace verbena::verbs::testing {
namespace {

FakeProvider* current = nullptr;

/// Logs the call and sets errno when it is scripted to fail.
bool fails(const char* call) {
  if (current->before) current->before(call);
  int code = current->failureOf(call);
  current->note(code == 0 ? call : std::string(call) + " failed");
  errno = code;
  return code != 0;
}

template <typename T>
T* make(const char* call) {
  return fails(call) ? nullptr : new T{};
}

template <typename T>
int destroy(const char* call, T* object) {
  if (fails(call)) return errno;
  delete object;
  return 0;
}

const FakeDevice& deviceOf(const ibv_context* context) {
  for (const FakeDevice& device : current->devices) {
    if (device.name == context->device->name) return device;
  }
  std::abort();
}

const FakePort* portOf(const ibv_context* context, uint32_t port) {
  const FakeDevice& device = deviceOf(context);
  return port >= 1 && port <= device.ports.size() ? &device.ports[port - 1] : nullptr;
}

ibv_gid parse(const std::string& address) {
  ibv_gid gid{};
  if (inet_pton(AF_INET6, address.c_str(), gid.raw) == 1) return gid;
  gid.raw[10] = gid.raw[11] = 0xff;
  if (inet_pton(AF_INET, address.c_str(), gid.raw + 12) != 1) std::abort();
  return gid;
}

ibv_device** getDeviceList(int* count) {
  if (fails("get_device_list")) return nullptr;
  size_t size = current->devices.size();
  auto** list = static_cast<ibv_device**>(std::calloc(size + 1, sizeof(ibv_device*)));
  for (size_t i = 0; i < size; i++) {
    list[i] = new ibv_device{};
    std::strncpy(list[i]->name, current->devices[i].name.c_str(), IBV_SYSFS_NAME_MAX - 1);
    list[i]->transport_type = current->devices[i].transport;
  }
  *count = static_cast<int>(size);
  return list;
}

void freeDeviceList(ibv_device** list) {
  fails("free_device_list");
  for (ibv_device** device = list; *device != nullptr; device++) delete *device;
  std::free(list);
}

const char* getDeviceName(ibv_device* device) {
  return device->name;
}

__be64 getDeviceGuid(ibv_device*) {
  return htobe64(0x0002c90300000001ULL);
}

ibv_context* openDevice(ibv_device* device) {
  auto* context = make<ibv_context>("open_device");
  if (context == nullptr) return nullptr;
  context->device = device;
  context->async_fd = eventfd(0, EFD_CLOEXEC);
  context->ops.poll_cq = [](ibv_cq*, int, ibv_wc*) { return 0; };
  context->ops.post_send = [](ibv_qp*, ibv_send_wr*, ibv_send_wr**) { return 0; };
  context->ops.post_srq_recv = [](ibv_srq*, ibv_recv_wr*, ibv_recv_wr**) { return 0; };
  context->ops.req_notify_cq = [](ibv_cq*, int) { return 0; };
  return context;
}

int closeDevice(ibv_context* context) {
  close(context->async_fd);
  return destroy("close_device", context);
}

int queryDevice(ibv_context* context, ibv_device_attr* attributes) {
  if (fails("query_device")) return errno;
  *attributes = {};
  attributes->phys_port_cnt = static_cast<uint8_t>(deviceOf(context).ports.size());
  attributes->max_qp = 1024;
  attributes->max_qp_wr = 4096;
  attributes->max_sge = 16;
  attributes->max_cqe = 65536;
  attributes->max_srq_wr = 4096;
  attributes->max_srq_sge = 8;
  attributes->max_mr_size = UINT64_MAX;
  attributes->max_qp_rd_atom = 16;
  attributes->max_qp_init_rd_atom = 16;
  return 0;
}

int queryDeviceEx(ibv_context* context, const ibv_query_device_ex_input*,
                  ibv_device_attr_ex* attributes) {
  *attributes = {};
  return queryDevice(context, &attributes->orig_attr);
}

int queryPort(ibv_context* context, uint8_t number, ibv_port_attr* attributes) {
  if (fails("query_port")) return errno;
  const FakePort* port = portOf(context, number);
  if (port == nullptr) return EINVAL;
  *attributes = {};
  attributes->state = port->state;
  attributes->link_layer = port->linkLayer;
  attributes->lid = port->lid;
  attributes->active_mtu = port->activeMtu;
  attributes->max_mtu = IBV_MTU_4096;
  attributes->active_speed = port->activeSpeed;
  attributes->active_width = port->activeWidth;
  attributes->gid_tbl_len = 8;
  attributes->pkey_tbl_len = static_cast<uint16_t>(port->pkeys.size());
  return 0;
}

int queryGidEx(ibv_context* context, uint32_t number, uint32_t index, ibv_gid_entry* entry,
               uint32_t) {
  if (fails("query_gid_ex")) return errno;
  const FakePort* port = portOf(context, number);
  if (port == nullptr || index >= 8) return EINVAL;
  auto found = port->gids.find(index);
  if (found == port->gids.end()) return ENODATA;
  *entry = {};
  entry->gid = parse(found->second.address);
  entry->gid_index = index;
  entry->port_num = number;
  entry->gid_type = found->second.type;
  return 0;
}

int queryGid(ibv_context* context, uint8_t number, int index, ibv_gid* gid) {
  ibv_gid_entry entry;
  errno = queryGidEx(context, number, static_cast<uint32_t>(index), &entry, 0);
  if (errno != 0) return -1;
  *gid = entry.gid;
  return 0;
}

int queryPkey(ibv_context* context, uint8_t number, int index, __be16* key) {
  if (fails("query_pkey")) return -1;
  *key = htobe16(portOf(context, number)->pkeys.at(static_cast<size_t>(index)));
  return 0;
}

ibv_mr* regMr(ibv_pd* pd, void* address, size_t length, int) {
  auto* region = make<ibv_mr>("reg_mr");
  uint32_t number = 2 * current->registrations++;
  if (region != nullptr) *region = {pd->context, pd, address, length, 1, 2 + number, 3 + number};
  return region;
}

ibv_comp_channel* createChannel(ibv_context* context) {
  auto* channel = make<ibv_comp_channel>("create_comp_channel");
  if (channel != nullptr) *channel = {context, eventfd(0, EFD_CLOEXEC), 0};
  return channel;
}

int destroyChannel(ibv_comp_channel* channel) {
  close(channel->fd);
  return destroy("destroy_comp_channel", channel);
}

ibv_cq* createCq(ibv_context* context, int entries, void* cqContext, ibv_comp_channel* channel,
                 int) {
  auto* cq = make<ibv_cq>("create_cq");
  if (cq == nullptr) return nullptr;
  cq->context = context;
  cq->channel = channel;
  cq->cq_context = cqContext;
  cq->cqe = entries;
  return cq;
}

int resizeCq(ibv_cq* cq, int entries) {
  if (fails("resize_cq")) return errno;
  cq->cqe = entries;
  return 0;
}

int getCqEvent(ibv_comp_channel*, ibv_cq** cq, void** cqContext) {
  if (fails("get_cq_event")) return -1;
  errno = EAGAIN;
  if (current->pendingCompletions.empty()) return -1;
  *cq = current->pendingCompletions.back();
  *cqContext = (*cq)->cq_context;
  current->pendingCompletions.pop_back();
  return 0;
}

void ackCqEvents(ibv_cq*, unsigned count) {
  current->acknowledged += static_cast<int>(count);
}

ibv_srq* createSrq(ibv_pd* pd, ibv_srq_init_attr*) {
  auto* srq = make<ibv_srq>("create_srq");
  if (srq != nullptr) srq->context = pd->context;
  return srq;
}

int modifySrq(ibv_srq*, ibv_srq_attr*, int) {
  return fails("modify_srq") ? errno : 0;
}

int querySrq(ibv_srq*, ibv_srq_attr* attributes) {
  *attributes = {64, 2, 7};
  return fails("query_srq") ? errno : 0;
}

ibv_qp* createQp(ibv_pd* pd, ibv_qp_init_attr* attributes) {
  auto* qp = make<ibv_qp>("create_qp");
  if (qp == nullptr) return nullptr;
  qp->context = pd->context;
  qp->qp_type = attributes->qp_type;
  qp->qp_num = current->takeQpNum();
  qp->state = IBV_QPS_RESET;
  attributes->cap.max_inline_data = 64;
  return qp;
}

int modifyQp(ibv_qp* qp, ibv_qp_attr* attributes, int mask) {
  if (fails("modify_qp")) return errno;
  current->note({*attributes, mask});
  qp->state = attributes->qp_state;
  return 0;
}

int queryQp(ibv_qp* qp, ibv_qp_attr* attributes, int, ibv_qp_init_attr*) {
  attributes->qp_state = qp->state;
  return fails("query_qp") ? errno : 0;
}

ibv_ah* createAh(ibv_pd*, ibv_ah_attr*) {
  return make<ibv_ah>("create_ah");
}

int initAhFromWc(ibv_context*, uint8_t port, ibv_wc*, ibv_grh* grh, ibv_ah_attr* attributes) {
  if (fails("init_ah_from_wc")) return -1;
  attributes->port_num = port;
  attributes->is_global = 1;
  attributes->grh.dgid = grh->sgid;
  return 0;
}

int getAsyncEvent(ibv_context*, ibv_async_event* event) {
  if (fails("get_async_event")) return -1;
  errno = EAGAIN;
  if (current->pendingAsync.empty()) return -1;
  *event = current->pendingAsync.back();
  current->pendingAsync.pop_back();
  return 0;
}

void ackAsyncEvent(ibv_async_event*) {
  current->acknowledged++;
}

void* allocShareable(ibv_context*, size_t bytes) {
  if (fails("alloc_shareable")) return nullptr;
  return std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
}

void freeShareable(ibv_context*, void* memory, size_t) {
  fails("free_shareable");
  std::free(memory);
}

Provider makeProvider(const char* name) {
  Provider made{};
  made.name = name;
  made.get_device_list = getDeviceList;
  made.free_device_list = freeDeviceList;
  made.get_device_name = getDeviceName;
  made.get_device_guid = getDeviceGuid;
  made.open_device = openDevice;
  made.open_wired = [](ibv_device* device, const Wiring&) { return openDevice(device); };
  made.close_device = closeDevice;
  made.query_device = queryDevice;
  made.query_device_ex = queryDeviceEx;
  made.query_port = queryPort;
  made.query_gid = queryGid;
  made.query_gid_ex = queryGidEx;
  made.query_pkey = queryPkey;
  made.alloc_pd = [](ibv_context* context) {
    auto* pd = make<ibv_pd>("alloc_pd");
    if (pd != nullptr) pd->context = context;
    return pd;
  };
  made.dealloc_pd = [](ibv_pd* pd) { return destroy("dealloc_pd", pd); };
  made.reg_mr = regMr;
  made.dereg_mr = [](ibv_mr* mr) { return destroy("dereg_mr", mr); };
  made.create_comp_channel = createChannel;
  made.destroy_comp_channel = destroyChannel;
  made.create_cq = createCq;
  made.resize_cq = resizeCq;
  made.destroy_cq = [](ibv_cq* cq) { return destroy("destroy_cq", cq); };
  made.get_cq_event = getCqEvent;
  made.ack_cq_events = ackCqEvents;
  made.create_srq = createSrq;
  made.modify_srq = modifySrq;
  made.query_srq = querySrq;
  made.destroy_srq = [](ibv_srq* srq) { return destroy("destroy_srq", srq); };
  made.create_qp = createQp;
  made.modify_qp = modifyQp;
  made.query_qp = queryQp;
  made.destroy_qp = [](ibv_qp* qp) { return destroy("destroy_qp", qp); };
  made.create_ah = createAh;
  made.init_ah_from_wc = initAhFromWc;
  made.destroy_ah = [](ibv_ah* ah) { return destroy("destroy_ah", ah); };
  made.get_async_event = getAsyncEvent;
  made.ack_async_event = ackAsyncEvent;
  made.explain = [](ibv_context* context, int code) {
    return std::string(context == nullptr && code == EACCES ? "the device says why" : "");
  };
  made.alloc_shareable = allocShareable;
  made.free_shareable = freeShareable;
  return made;
}

}  // namespace

FakeProvider::FakeProvider(std::vector<FakeDevice> scripted, const char* name)
    : devices(std::move(scripted)), provider_(makeProvider(name)) {
  if (current != nullptr) std::abort();
  current = this;
}

FakeProvider::~FakeProvider() {
  current = nullptr;
}

void FakeProvider::note(const std::string& entry) {
  std::lock_guard guard(lock_);
  log.push_back(entry);
}

void FakeProvider::note(const QpChange& change) {
  std::lock_guard guard(lock_);
  lastQpAttributes = change.attributes;
  lastQpMask = change.mask;
  qpChanges.push_back(change);
}

uint32_t FakeProvider::takeQpNum() {
  std::lock_guard guard(lock_);
  return nextQpNum_++;
}

int FakeProvider::failureOf(const std::string& call) const {
  auto found = failures.find(call);
  return found == failures.end() ? 0 : found->second;
}

}  // namespace verbena::verbs::testing
