// SPDX-License-Identifier: Apache-2.0
#include "verbs/address_handle.h"

#include <cerrno>

#include "verbs/advice.h"
#include "verbs/names.h"

namespace verbena::verbs {

base::Result<AddressHandle> AddressHandle::create(const ProtectionDomain& pd, const Path& path) {
  ibv_ah_attr attributes = toAttributes(path);
  return create(pd, attributes);
}

base::Result<AddressHandle> AddressHandle::create(const ProtectionDomain& pd,
                                                  ibv_ah_attr& attributes) {
  ibv_ah* raw = pd.provider().create_ah(pd.get(), &attributes);
  if (raw == nullptr) {
    std::string to = attributes.is_global != 0 ? gidText(attributes.grh.dgid)
                                               : "LID " + std::to_string(attributes.dlid);
    return creationError(*pd.device(), "create an address handle to " + to, errno);
  }
  return AddressHandle(pd.device(), own(raw, pd.provider().destroy_ah, pd.share()));
}

base::Result<AddressHandle> AddressHandle::toSender(const ProtectionDomain& pd, uint8_t localPort,
                                                    ibv_wc& done, ibv_grh& grh) {
  ibv_ah_attr attributes{};
  ibv_context* context = pd.device()->context.get();
  if (pd.provider().init_ah_from_wc(context, localPort, &done, &grh, &attributes) != 0) {
    return creationError(*pd.device(), "find the address of a datagram's sender", errno);
  }
  return create(pd, attributes);
}

}  // namespace verbena::verbs
