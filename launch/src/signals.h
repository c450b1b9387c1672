// SPDX-License-Identifier: Apache-2.0
//
// Signals as something to wait for beside descriptors.
#pragma once

#include <signal.h>

#include <initializer_list>
#include <optional>

#include "base/descriptor.h"

namespace verbena::launch {

class Signals {
 public:
  /// From here on they are taken here, and nowhere else. Those that this process was started to
  /// ignore (nohup) stay ignored.
  explicit Signals(std::initializer_list<int> numbers);

  /// Readable when there is one.
  int fd() const { return fd_.get(); }
  /// The next one; none if there is none. Several of one number may be one.
  std::optional<int> take() const;
  /// What was blocked before: for processes that are started.
  const sigset_t& before() const { return before_; }

 private:
  sigset_t before_;
  base::FileDescriptor fd_;
};

}  // namespace verbena::launch
