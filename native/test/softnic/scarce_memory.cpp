// SPDX-License-Identifier: Apache-2.0
#include "scarce_memory.h"

#include <cstdlib>
#include <new>

namespace verbena::softnic::testing {

thread_local int piecesLeft = -1;

}  // namespace verbena::softnic::testing

using verbena::softnic::testing::piecesLeft;

void* operator new(size_t bytes) {
  void* made = piecesLeft != 0 ? std::malloc(bytes) : nullptr;
  if (made == nullptr) throw std::bad_alloc();
  if (piecesLeft > 0) piecesLeft--;
  return made;
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t) noexcept {
  std::free(memory);
}
