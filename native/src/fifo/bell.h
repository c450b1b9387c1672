// SPDX-License-Identifier: Apache-2.0
//
// Ends a sleep in another process of this host: a named pipe of the sleeper's, into which whoever
// wakes it writes a byte. The sleeper waits for its descriptor beside those of the device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"

namespace verbena::fifo {

class Bell {
 public:
  /// One's own.
  static base::Result<Bell> create(const std::string& folder);
  /// Somebody's of this user, if it is there.
  static std::optional<Bell> find(const std::string& folder, uint64_t name);

  uint64_t name() const { return name_; }
  /// Readable once it has been rung; whoever waits for it reads what is there.
  int descriptor() const { return pipe_.get(); }
  /// Never blocks. Nobody hears it if the process that made it has gone.
  void ring() const;

  Bell(Bell&& other) noexcept
      : pipe_(std::move(other.pipe_)), path_(std::exchange(other.path_, {})), name_(other.name_) {}
  Bell& operator=(Bell&& other) noexcept {
    std::swap(pipe_, other.pipe_);
    std::swap(path_, other.path_);
    std::swap(name_, other.name_);
    return *this;
  }
  ~Bell();

 private:
  Bell(base::FileDescriptor pipe, std::string path, uint64_t name)
      : pipe_(std::move(pipe)), path_(std::move(path)), name_(name) {}

  base::FileDescriptor pipe_;
  std::string path_;  // empty: it is not ours to remove
  uint64_t name_;
};

}  // namespace verbena::fifo
