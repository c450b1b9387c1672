// SPDX-License-Identifier: Apache-2.0
#include "base/result.h"

#include <cstring>

namespace verbena::base {

std::string errorName(int code) {
  const char* name = strerrorname_np(code);
  return name != nullptr ? name : "errno " + std::to_string(code);
}

std::string Error::sentence() const {
  std::string text = "cannot " + operation;
  if (!object.empty()) text += " on " + object;
  if (code != 0) text += ": " + errorName(code);
  if (!advice.empty()) text += (code != 0 ? "; " : ": ") + advice;
  return text;
}

}  // namespace verbena::base
