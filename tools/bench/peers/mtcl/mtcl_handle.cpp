// SPDX-License-Identifier: Apache-2.0
#include "mtcl_handle.h"

#include "verbena/mtcl.hpp"

namespace {

constexpr int kTries = 100;        // until the other process listens
constexpr unsigned kPauseMs = 50;  // between them

/// Never destroyed: the process ends without MTCL's own end.
MTCL::HandleUser& handle() {
  static auto* only = new MTCL::HandleUser();
  return *only;
}

}  // namespace

void mtcl_begin(const char* name) {
  MTCL::Manager::registerType<verbena::mtcl::ConnVerbena>("VERBENA");
  MTCL::Manager::init(name);
}

int mtcl_listen(const char* address) { return MTCL::Manager::listen(address); }

int mtcl_accept() {
  handle() = MTCL::Manager::getNext();
  return handle().isValid() ? 0 : -1;
}

int mtcl_connect(const char* address) {
  handle() = MTCL::Manager::connect(address, kTries, kPauseMs);
  return handle().isValid() ? 0 : -1;
}

ssize_t mtcl_send(const void* message, size_t size) { return handle().send(message, size); }

ssize_t mtcl_receive(void* message, size_t room) { return handle().receive(message, room); }
