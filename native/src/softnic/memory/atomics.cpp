// SPDX-License-Identifier: Apache-2.0
#include "softnic/memory/atomics.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <thread>

namespace verbena::softnic {
namespace {

// Full ordering: the neighbours of an atomic on a fabric are ordered by its response.
std::atomic_ref<uint64_t> wordAt(std::byte* target) {
  return std::atomic_ref(*reinterpret_cast<uint64_t*>(target));
}

/// For all ports of the process, as each of them reaches all of its memory.
std::mutex& turn() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

std::optional<Atomics> chosenAtomics() {
  const char* text = std::getenv("VERBENA_SOFTNIC_ATOMICS");
  if (text == nullptr || *text == 0) return Atomics::OfProcessors;
  if (std::string_view(text) == "device") return Atomics::OfDevice;
  std::fprintf(stderr, "VERBENA_SOFTNIC_ATOMICS is '%s'; it may be 'device'\n", text);
  return std::nullopt;
}

uint64_t executeFetchAdd(Atomics how, std::byte* target, uint64_t add) {
  std::atomic_ref word = wordAt(target);
  if (how == Atomics::OfProcessors) return word.fetch_add(add);
  std::lock_guard guard(turn());
  uint64_t before = word.load();
  std::this_thread::yield();  // a program that expects more of such a device is to fail
  word.store(before + add);
  return before;
}

uint64_t executeCompareSwap(Atomics how, std::byte* target, uint64_t compare, uint64_t swap) {
  std::atomic_ref word = wordAt(target);
  if (how == Atomics::OfProcessors) {
    word.compare_exchange_strong(compare, swap);
    return compare;
  }
  std::lock_guard guard(turn());
  uint64_t before = word.load();
  std::this_thread::yield();  // as above
  if (before == compare) word.store(swap);
  return before;
}

}  // namespace verbena::softnic
