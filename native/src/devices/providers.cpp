// SPDX-License-Identifier: Apache-2.0
#include "devices/providers.h"

#include <unistd.h>

#include <cerrno>

#include "verbs/libibverbs.h"
#ifdef VERBENA_HAVE_SOFTNIC
#include "softnic/softnic.h"
#endif

namespace verbena::devices {
namespace {

/// Where the kernel's part of verbs is, once it is loaded.
constexpr const char* kKernelVerbs = "/sys/class/infiniband_verbs";

/// Loading libibverbs takes a tenth of a small process' time. Without the kernel's part it finds
/// nothing.
base::Result<const verbs::Provider*> kernelDevices() {
  if (access(kKernelVerbs, F_OK) == 0) return verbs::libibverbs();
  return base::Error{"look for kernel devices", kKernelVerbs, errno,
                     "this kernel has none, or the module ib_uverbs is not loaded (softnic works "
                     "without)"};
}

}  // namespace

std::vector<base::Result<const verbs::Provider*>> providers() {
  std::vector<base::Result<const verbs::Provider*>> all = {kernelDevices()};
#ifdef VERBENA_HAVE_SOFTNIC
  all.emplace_back(&softnic::provider());
#endif
  return all;
}

}  // namespace verbena::devices
