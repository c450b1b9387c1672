// SPDX-License-Identifier: Apache-2.0
#ifndef VERBENA_PEER_CLOCK_H
#define VERBENA_PEER_CLOCK_H

#include <stdint.h>
#include <time.h>

// Nanoseconds of the monotonic clock.
static inline int64_t peer_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

#endif
