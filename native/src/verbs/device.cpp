// SPDX-License-Identifier: Apache-2.0
#include "verbs/device.h"

#include <endian.h>

#include <cerrno>

#include "verbs/advice.h"

namespace verbena::verbs {
namespace {

base::Error listError(const Provider& provider, int code) {
  // Without kernel modules there is no device class to list, which libibverbs reports as ENOSYS.
  const char* advice = code == ENOSYS ? "the kernel has no RDMA support loaded (module ib_uverbs)"
                       : code == EPERM || code == EACCES
                           ? "no permission to read the kernel's RDMA devices"
                           : "";
  return {"list devices", provider.name, code, advice};
}

/// What a device in user space could not do with its wires.
std::string wiringAdvice(const Wiring& wiring, int code) {
  if (code == EINVAL && !wiring.listen.empty()) {
    return "its address to listen at is '" + wiring.listen +
           "', which is not ADDRESS[:PORT[-LAST]] (rdma.softnic.listen)";
  }
  if (code != EADDRNOTAVAIL) return "";
  return "the address it is to listen at is none of this host, or each port of its range is taken: "
         "see rdma.softnic.listen in docs/configuration.md";
}

base::Error openError(const Device& listed, int code) {
  std::string advice = wiringAdvice(listed.wiring(), code);
  return {"open device", listed.name(), code,
          advice.empty() ? listed.provider().explain(nullptr, code) : advice};
}

std::string portName(const Context& context, uint8_t port) {
  return context.name() + " port " + std::to_string(port);
}

}  // namespace

base::Result<std::vector<Device>> Device::list(const Provider& provider, const Wiring& wiring) {
  int count = 0;
  errno = 0;
  ibv_device** raw = provider.get_device_list(&count);
  if (raw == nullptr) return listError(provider, errno);
  std::shared_ptr<ibv_device*> list(raw, provider.free_device_list);
  auto shared = std::make_shared<const Wiring>(wiring);
  std::vector<Device> devices;
  for (int i = 0; i < count; i++) devices.push_back(Device(provider, list, raw[i], shared));
  return devices;
}

base::Result<Context> Context::open(const Device& listed) {
  const Provider& provider = listed.provider();
  ibv_context* raw = provider.open_wired(listed.get(), listed.wiring());
  if (raw == nullptr) return openError(listed, errno);
  // Keeps the list too: a provider's device must outlive its context.
  std::shared_ptr<ibv_context> context = own(raw, provider.close_device, listed);
  ibv_device_attr limits{};
  if (int rc = provider.query_device(raw, &limits); rc != 0) {
    return base::Error{"query device", listed.name(), rc, ""};
  }
  auto device =
      std::make_shared<const OpenDevice>(OpenDevice{provider, listed.name(), limits, context});
  return Context(std::move(device), std::move(context));
}

base::Result<ibv_port_attr> Context::queryPort(uint8_t port) const {
  ibv_port_attr attributes{};
  int rc = provider().query_port(get(), port, &attributes);
  if (rc != 0) return base::Error{"query port", portName(*this, port), rc, ""};
  return attributes;
}

base::Result<ibv_gid_entry> Context::queryGid(uint8_t port, uint32_t index) const {
  ibv_gid_entry entry{};
  int rc = provider().query_gid_ex(get(), port, index, &entry, 0);
  if (rc != 0)
    return base::Error{"query GID " + std::to_string(index), portName(*this, port), rc, ""};
  return entry;
}

base::Result<uint16_t> Context::queryPkey(uint8_t port, uint16_t index) const {
  __be16 key = 0;
  if (provider().query_pkey(get(), port, index, &key) != 0) {
    return base::Error{"query P_Key " + std::to_string(index), portName(*this, port), errno, ""};
  }
  return be16toh(key);
}

}  // namespace verbena::verbs
