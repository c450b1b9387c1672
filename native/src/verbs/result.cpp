// SPDX-License-Identifier: Apache-2.0
#include "verbs/result.h"

#include "verbs/names.h"

namespace verbena::verbs {

std::string Error::sentence() const {
  std::string text = "cannot " + operation;
  if (!object.empty()) text += " on " + object;
  if (code != 0) text += ": " + errorName(code);
  if (!advice.empty()) text += (code != 0 ? "; " : ": ") + advice;
  return text;
}

}  // namespace verbena::verbs
