// SPDX-License-Identifier: Apache-2.0
#include "scarce_threads.h"

#include <dlfcn.h>
#include <pthread.h>

#include <cerrno>

namespace verbena::connect::testing {

std::atomic<bool> noMoreThreads{false};

}  // namespace verbena::connect::testing

using Create = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

/// Of a sanitizer that is part of the program, and has to know of every thread.
extern "C" __attribute__((weak)) Create __interceptor_pthread_create;

/// Found before the C library's, by the C++ library, too.
extern "C" __attribute__((visibility("default"))) int pthread_create(
    pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*), void* argument) {
  static Create* const real = __interceptor_pthread_create != nullptr
                                  ? __interceptor_pthread_create
                                  : reinterpret_cast<Create*>(dlsym(RTLD_NEXT, "pthread_create"));
  if (verbena::connect::testing::noMoreThreads) return EAGAIN;
  return real(thread, attributes, body, argument);
}
