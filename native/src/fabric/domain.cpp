// SPDX-License-Identifier: Apache-2.0
#include "fabric/domain.h"

#include <utility>

namespace verbena::fabric {

using base::Result;

Result<std::shared_ptr<const Domain>> Domain::open(const verbs::Selection& selection) {
  Result<verbs::Context> context = verbs::Context::open(selection.device);
  if (!context) return context.error();
  Result<verbs::ProtectionDomain> pd = verbs::ProtectionDomain::allocate(*context);
  if (!pd) return pd.error();
  Result<ibv_port_attr> port = context->queryPort(selection.port);
  if (!port) return port.error();
  return std::make_shared<const Domain>(
      Domain{selection, std::move(*context), std::move(*pd), port->max_msg_sz});
}

Lending& Domain::lending() const {
  std::call_once(begun->once, [this] { begun->lending = std::make_unique<Lending>(context); });
  return *begun->lending;
}

Result<Registered> Registered::allocate(const Domain& domain, uint64_t bytes) {
  Result<verbs::ShareableMemory> memory = verbs::ShareableMemory::allocate(domain.context, bytes);
  if (!memory) return memory.error();
  Result<verbs::MemoryRegion> region =
      verbs::MemoryRegion::registerRange(domain.pd, *memory, IBV_ACCESS_LOCAL_WRITE);
  if (!region) return region.error();
  return Registered{std::move(*memory), std::move(*region)};
}

}  // namespace verbena::fabric
