// SPDX-License-Identifier: Apache-2.0
//
// Two parties of this process, as two processes would be.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "verbena/mtcl/hub.h"

namespace verbena::mtcl::testing {

/// A bound against hanging.
inline constexpr std::chrono::seconds kPatience{120};

/// Bytes: messages soon are larger than what a side can hold.
inline constexpr std::size_t kRing = 4096;

/// A variable of the environment, while this lives.
class Setting {
 public:
  Setting(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Setting() {
    if (before_) {
      setenv(name_, before_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

/// An address where the hub listens from now on.
std::string listenSomewhere(Hub& hub);

/// The next that comes; null if none does.
inline std::unique_ptr<Dialogue> awaitAccept(Hub& hub) {
  auto limit = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < limit) {
    if (auto dialogue = hub.accept()) return dialogue;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return nullptr;
}

}  // namespace verbena::mtcl::testing
