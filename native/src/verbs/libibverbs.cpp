// SPDX-License-Identifier: Apache-2.0
#include "verbs/libibverbs.h"

#include <dlfcn.h>
#include <sys/mman.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

namespace verbena::verbs {
namespace {

constexpr const char* kLibraryName = "libibverbs.so.1";

/// What the adapters below call. The provider is a table of plain functions without a place for
/// state, so this is the one global of the file; it is written by loading alone, before anybody
/// sees the provider.
struct Entries {
  ibv_context* (*open_device)(ibv_device*);
  decltype(&::ibv_query_device) query_device;
  int (*query_port)(ibv_context*, uint8_t, _compat_ibv_port_attr*);
  decltype(&::ibv_query_gid) query_gid;
  decltype(&::_ibv_query_gid_ex) query_gid_ex;  // since rdma-core 32; may be null
  ibv_mr* (*reg_mr)(ibv_pd*, void*, size_t, int);
  decltype(&::ibv_reg_mr_iova2) reg_mr_iova2;  // since rdma-core 28; may be null
};
Entries entries{};

ibv_context* openWired(ibv_device* device, const Wiring&) {
  return entries.open_device(device);
}

int queryDeviceEx(ibv_context* context, const ibv_query_device_ex_input* input,
                  ibv_device_attr_ex* attr) {
  if (input != nullptr && input->comp_mask != 0) return EINVAL;
  if (verbs_context* extended = verbs_get_ctx_op(context, query_device_ex); extended != nullptr) {
    int rc = extended->query_device_ex(context, input, attr, sizeof *attr);
    if (rc != EOPNOTSUPP && rc != ENOSYS) return rc;
  }
  std::memset(attr, 0, sizeof *attr);
  return entries.query_device(context, &attr->orig_attr);
}

int queryPort(ibv_context* context, uint8_t portNum, ibv_port_attr* attr) {
  std::memset(attr, 0, sizeof *attr);
  if (verbs_context* extended = verbs_get_ctx_op(context, query_port); extended != nullptr) {
    return extended->query_port(context, portNum, attr, sizeof *attr);
  }
  return entries.query_port(context, portNum, reinterpret_cast<_compat_ibv_port_attr*>(attr));
}

/// The kernel's own word for the type of a GID table entry, for a libibverbs too old to say it.
int gidTypeFromSysfs(const ibv_context* context, uint32_t portNum, uint32_t gidIndex,
                     uint32_t* type) {
  std::string path = std::string(context->device->ibdev_path) + "/ports/" +
                     std::to_string(portNum) + "/gid_attrs/types/" + std::to_string(gidIndex);
  std::array<char, 64> word{};
  FILE* file = std::fopen(path.c_str(), "re");
  if (file == nullptr) return errno == EINVAL ? ENODATA : errno;
  bool read = std::fgets(word.data(), static_cast<int>(word.size()), file) != nullptr;
  std::fclose(file);
  if (!read) return ENODATA;
  *type =
      std::strncmp(word.data(), "RoCE v2", 7) == 0 ? IBV_GID_TYPE_ROCE_V2 : IBV_GID_TYPE_ROCE_V1;
  return 0;
}

int queryGidEx(ibv_context* context, uint32_t portNum, uint32_t gidIndex, ibv_gid_entry* entry,
               uint32_t flags) {
  if (entries.query_gid_ex != nullptr) {
    return entries.query_gid_ex(context, portNum, gidIndex, entry, flags, sizeof *entry);
  }
  *entry = {};
  entry->gid_index = gidIndex;
  entry->port_num = portNum;
  ibv_port_attr port;
  if (int rc = queryPort(context, static_cast<uint8_t>(portNum), &port); rc != 0) return rc;
  if (entries.query_gid(context, static_cast<uint8_t>(portNum), static_cast<int>(gidIndex),
                        &entry->gid) != 0) {
    return errno;
  }
  if (entry->gid.global.interface_id == 0) return ENODATA;
  if (port.link_layer != IBV_LINK_LAYER_ETHERNET) {
    entry->gid_type = IBV_GID_TYPE_IB;
    return 0;
  }
  return gidTypeFromSysfs(context, portNum, gidIndex, &entry->gid_type);
}

/// Optional access flags (relaxed ordering) are hints: a library that does not know them goes
/// without.
ibv_mr* regMr(ibv_pd* pd, void* address, size_t length, int access) {
  auto flags = static_cast<unsigned>(access & ~kWithoutProof);
  if ((flags & IBV_ACCESS_OPTIONAL_RANGE) != 0 && entries.reg_mr_iova2 != nullptr) {
    return entries.reg_mr_iova2(pd, address, length, reinterpret_cast<uintptr_t>(address), flags);
  }
  constexpr unsigned kOptional = IBV_ACCESS_OPTIONAL_RANGE;
  return entries.reg_mr(pd, address, length, static_cast<int>(flags & ~kOptional));
}

void* allocShareable(ibv_context*, size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

std::string explain(ibv_context* context, int code) {
  bool isForbidden = code == EACCES || code == EPERM;
  return context == nullptr && isForbidden
             ? "no permission on /dev/infiniband/uverbs*; join the group that owns it"
             : "";
}

void freeShareable(ibv_context*, void* memory, size_t bytes) {
  munmap(memory, bytes);
}

/// Takes functions out of a loaded library, remembering the first that is not there.
class Symbols {
 public:
  explicit Symbols(void* library) : library_(library) {}

  template <typename Function>
  void require(Function& slot, const char* symbol, const char* version) {
    if (!find(slot, symbol, version) && missing_.empty()) {
      missing_ = std::string(symbol) + "@" + version;
    }
  }

  template <typename Function>
  bool find(Function& slot, const char* symbol, const char* version) {
    slot = reinterpret_cast<Function>(dlvsym(library_, symbol, version));
    return slot != nullptr;
  }

  /// Empty when all were there.
  const std::string& missing() const { return missing_; }

 private:
  void* library_;
  std::string missing_;
};

// The versions are those of the current ABI: a name can exist twice in libibverbs, and the
// unversioned dlsym would be right only by luck.
constexpr const char* kAbi10 = "IBVERBS_1.0";
constexpr const char* kAbi11 = "IBVERBS_1.1";

void loadDevices(Symbols& symbols, Provider& provider, Entries& into) {
  symbols.require(provider.get_device_list, "ibv_get_device_list", kAbi11);
  symbols.require(provider.free_device_list, "ibv_free_device_list", kAbi11);
  symbols.require(provider.get_device_name, "ibv_get_device_name", kAbi11);
  symbols.require(provider.get_device_guid, "ibv_get_device_guid", kAbi11);
  symbols.require(provider.open_device, "ibv_open_device", kAbi11);
  symbols.require(provider.close_device, "ibv_close_device", kAbi11);
  into.open_device = provider.open_device;
  provider.open_wired = openWired;
  symbols.require(provider.get_async_event, "ibv_get_async_event", kAbi11);
  symbols.require(provider.ack_async_event, "ibv_ack_async_event", kAbi11);
}

void loadQueries(Symbols& symbols, Provider& provider, Entries& into) {
  symbols.require(provider.query_device, "ibv_query_device", kAbi11);
  symbols.require(provider.query_gid, "ibv_query_gid", kAbi11);
  symbols.require(provider.query_pkey, "ibv_query_pkey", kAbi11);
  symbols.require(into.query_port, "ibv_query_port", kAbi11);
  symbols.find(into.query_gid_ex, "_ibv_query_gid_ex", "IBVERBS_1.11");
  into.query_device = provider.query_device;
  into.query_gid = provider.query_gid;
  provider.query_device_ex = queryDeviceEx;
  provider.query_port = queryPort;
  provider.query_gid_ex = queryGidEx;
}

void loadMemory(Symbols& symbols, Provider& provider, Entries& into) {
  symbols.require(provider.alloc_pd, "ibv_alloc_pd", kAbi11);
  symbols.require(provider.dealloc_pd, "ibv_dealloc_pd", kAbi11);
  symbols.require(into.reg_mr, "ibv_reg_mr", kAbi11);
  symbols.find(into.reg_mr_iova2, "ibv_reg_mr_iova2", "IBVERBS_1.8");
  symbols.require(provider.dereg_mr, "ibv_dereg_mr", kAbi11);
  provider.reg_mr = regMr;
  provider.explain = explain;
  provider.alloc_shareable = allocShareable;
  provider.free_shareable = freeShareable;
}

void loadQueues(Symbols& symbols, Provider& provider) {
  symbols.require(provider.create_comp_channel, "ibv_create_comp_channel", kAbi10);
  symbols.require(provider.destroy_comp_channel, "ibv_destroy_comp_channel", kAbi10);
  symbols.require(provider.create_cq, "ibv_create_cq", kAbi11);
  symbols.require(provider.resize_cq, "ibv_resize_cq", kAbi11);
  symbols.require(provider.destroy_cq, "ibv_destroy_cq", kAbi11);
  symbols.require(provider.get_cq_event, "ibv_get_cq_event", kAbi11);
  symbols.require(provider.ack_cq_events, "ibv_ack_cq_events", kAbi11);
  symbols.require(provider.create_srq, "ibv_create_srq", kAbi11);
  symbols.require(provider.modify_srq, "ibv_modify_srq", kAbi11);
  symbols.require(provider.query_srq, "ibv_query_srq", kAbi11);
  symbols.require(provider.destroy_srq, "ibv_destroy_srq", kAbi11);
  symbols.require(provider.create_qp, "ibv_create_qp", kAbi11);
  symbols.require(provider.modify_qp, "ibv_modify_qp", kAbi11);
  symbols.require(provider.query_qp, "ibv_query_qp", kAbi11);
  symbols.require(provider.destroy_qp, "ibv_destroy_qp", kAbi11);
  symbols.require(provider.create_ah, "ibv_create_ah", kAbi11);
  symbols.require(provider.init_ah_from_wc, "ibv_init_ah_from_wc", kAbi11);
  symbols.require(provider.destroy_ah, "ibv_destroy_ah", kAbi11);
}

base::Error notLoaded(const char* libraryName, const std::string& reason) {
  return {"load " + std::string(libraryName), "", 0,
          reason +
              "; kernel devices need rdma-core: install libibverbs1 and ibverbs-providers "
              "(softnic works without)"};
}

}  // namespace

base::Result<Provider> loadLibibverbs(const char* libraryName) {
  void* library = dlopen(libraryName, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    return notLoaded(libraryName, reason != nullptr ? reason : "unknown reason");
  }
  Symbols symbols(library);
  Provider provider{};
  Entries loaded{};
  provider.name = "libibverbs";
  loadDevices(symbols, provider, loaded);
  loadQueries(symbols, provider, loaded);
  loadMemory(symbols, provider, loaded);
  loadQueues(symbols, provider);
  if (!symbols.missing().empty()) {
    dlclose(library);
    return notLoaded(libraryName, "it has no " + symbols.missing());
  }
  entries = loaded;
  return provider;
}

const base::Result<const Provider*>& libibverbs() {
  static const base::Result<Provider> loaded = loadLibibverbs(kLibraryName);
  static const base::Result<const Provider*> provider =
      loaded ? base::Result<const Provider*>(&loaded.value())
             : base::Result<const Provider*>(loaded.error());
  return provider;
}

}  // namespace verbena::verbs
