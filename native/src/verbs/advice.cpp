// SPDX-License-Identifier: Apache-2.0
#include "verbs/advice.h"

#include <sys/resource.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <string_view>

namespace verbena::verbs {
namespace {

/// Below this a queue of ordinary size may not fit; distributions used to give 64 KiB.
constexpr uint64_t kSmallLimitBytes = 1 << 20;
/// What 'verbena doctor' finds enough.
constexpr uint64_t kUsualLimitBytes = 64 << 20;

/// For 'ulimit -l', in KiB. Certainly suffices: up to the limit may be in use already.
std::string limitToSuggest(uint64_t bytes, uint64_t limitBytes) {
  constexpr uint64_t kMost = uint64_t{1} << 48;
  if (bytes > kMost || limitBytes > kMost) return "unlimited";
  return std::to_string(std::max(kUsualLimitBytes, std::bit_ceil(limitBytes + bytes)) >> 10);
}

std::string howToRaise(uint64_t bytes, uint64_t limitBytes) {
  return "raise it with 'ulimit -l " + limitToSuggest(bytes, limitBytes) +
         "' (docs/tuning.md#memlock)";
}

}  // namespace

uint64_t lockedMemoryLimitBytes() {
  rlimit limit{};
  if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
  return limit.rlim_cur;
}

std::string lockedMemoryAdvice(int code, uint64_t bytes, uint64_t limitBytes) {
  bool canBeTheLimit = code == ENOMEM || code == EAGAIN || code == EPERM;
  bool limitIsTight = limitBytes < bytes || limitBytes <= kSmallLimitBytes;
  if (!canBeTheLimit || !limitIsTight) return "";
  return "locked-memory limit is " + std::to_string(limitBytes) + " bytes, " +
         howToRaise(bytes, limitBytes);
}

std::string lockedMemoryTrouble(uint64_t limitBytes) {
  if (limitBytes >= kUsualLimitBytes) return "";
  return "the locked-memory limit is " + std::to_string(limitBytes) +
         " bytes: devices of the kernel register little memory with it; " +
         howToRaise(0, limitBytes);
}

std::string deviceAdvice(const OpenDevice& device, int code) {
  return device.provider.explain(device.context.get(), code);
}

base::Error creationError(const OpenDevice& device, std::string operation, int code,
                          uint64_t lockedBytes) {
  bool locksMemory = std::string_view(device.provider.name) == "libibverbs";
  return {std::move(operation), device.name, code,
          locksMemory ? lockedMemoryAdvice(code, lockedBytes, lockedMemoryLimitBytes())
                      : deviceAdvice(device, code)};
}

base::Error limitError(const OpenDevice& device, std::string operation, const char* what,
                       uint64_t value, uint64_t limit) {
  return {std::move(operation), device.name, EINVAL,
          std::string(what) + " of " + std::to_string(value) + " is above the device's limit of " +
              std::to_string(limit)};
}

}  // namespace verbena::verbs
