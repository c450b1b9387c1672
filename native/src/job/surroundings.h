// SPDX-License-Identifier: Apache-2.0
//
// What somebody who starts processes tells them in their environment.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"

namespace verbena::job {

/// The value of a variable; null if it is not set.
using Variables = std::function<const char*(const char* name)>;

/// A rank's place in its job.
struct Place {
  uint32_t rank = 0;
  uint32_t size = 1;
  uint32_t localRank = 0;
  uint32_t localSize = 1;
  bool oversubscribed = false;
  std::string id;
  std::string hostAddress;  ///< "127.0.0.1" where all ranks are on one host
  std::string folder;       ///< empty for a program that is alone
  std::string keyFile;
};

/// The value of a variable, which is to be between the two.
base::Result<uint32_t> numberOf(const Variables& variables, const char* name, uint32_t least,
                                uint32_t most);
/// The value of a variable, which is not to be empty.
base::Result<std::string> textOf(const Variables& variables, const char* name);
base::Error wrongVariable(const char* name, const std::string& advice);

}  // namespace verbena::job
