// SPDX-License-Identifier: Apache-2.0
#include "job/surroundings.h"

#include <charconv>
#include <cstring>
#include <string_view>

namespace verbena::job {

base::Error wrongVariable(const char* name, const std::string& advice) {
  return base::Error{"find this process' place in its job", name, 0, advice};
}

base::Result<uint32_t> numberOf(const Variables& variables, const char* name, uint32_t least,
                                uint32_t most) {
  const char* text = variables(name);
  if (text == nullptr) return wrongVariable(name, "it is not set, but others of a job are");
  uint32_t value = 0;
  const char* end = text + std::strlen(text);
  auto [rest, failure] = std::from_chars(text, end, value);
  if (failure != std::errc{} || rest != end || value < least || value > most) {
    return wrongVariable(name, std::string("'") + text + "' is not between " +
                                   std::to_string(least) + " and " + std::to_string(most));
  }
  return value;
}

base::Result<std::string> textOf(const Variables& variables, const char* name) {
  const char* value = variables(name);
  if (value == nullptr || *value == '\0')
    return wrongVariable(name, "it is not set, but others of a job are");
  return std::string(value);
}

}  // namespace verbena::job
