// SPDX-License-Identifier: Apache-2.0
#include "scarce_memory.h"

#include <cstdlib>
#include <new>

namespace verbena::softnic::testing {

thread_local int piecesLeft = -1;
std::atomic<int> piecesLeftToAll{-1};

/// By an address: whose function it is that stands there the linker has decided.
bool canRunOut() {
  void* (*volatile make)(size_t, const std::nothrow_t&) = ::operator new;
  void (*volatile destroy)(void*) = ::operator delete;
  piecesLeft = 0;
  void* made = make(1, std::nothrow);
  piecesLeft = -1;
  destroy(made);
  return made == nullptr;
}

}  // namespace verbena::softnic::testing

using verbena::softnic::testing::piecesLeft;
using verbena::softnic::testing::piecesLeftToAll;

namespace {

/// Takes one of those that are left to all.
bool isOneLeftToAll() noexcept {
  int left = piecesLeftToAll.load();
  while (left > 0 && !piecesLeftToAll.compare_exchange_weak(left, left - 1)) {
  }
  return left != 0;
}

void* allocate(size_t bytes) noexcept {
  void* made = piecesLeft != 0 && isOneLeftToAll() ? std::malloc(bytes) : nullptr;
  if (made != nullptr && piecesLeft > 0) piecesLeft--;
  return made;
}

}  // namespace

// All of a kind are replaced: what one of them allocated, a sanitizer's own `delete` would not take
// back.
void* operator new(size_t bytes) {
  void* made = allocate(bytes);
  if (made == nullptr) throw std::bad_alloc();
  return made;
}
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  return allocate(bytes);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
