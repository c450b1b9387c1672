// SPDX-License-Identifier: Apache-2.0
//
// Failures are thrown, as verbena::Error: the program ends, or the caller tries again.
#pragma once

#include <string>
#include <verbena/channel.hpp>

#include "base/result.h"

namespace verbena::ip {

[[noreturn]] inline void fail(const std::string& operation, const std::string& object, int code,
                              const std::string& advice = {}) {
  throw Error(base::Error{operation, object, code, advice}.sentence());
}

}  // namespace verbena::ip
