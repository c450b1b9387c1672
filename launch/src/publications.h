// SPDX-License-Identifier: Apache-2.0
//
// The agent's side of publishing: takes what the ranks of its host hand over.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "job/polling.h"
#include "job/publishing.h"

namespace verbena::launch {

class Publications {
 public:
  /// Returns why it was not taken; empty if it was.
  using Publish = std::function<std::string(const job::Publication&)>;

  /// False and errno on failure.
  bool open(const std::string& folder);
  void watch(job::Poll& poll, const Publish& publish);

 private:
  void accept();
  void serve(int caller, const Publish& publish);

  base::FileDescriptor listener_;
  std::vector<base::FileDescriptor> callers_;
};

}  // namespace verbena::launch
