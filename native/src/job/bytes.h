// SPDX-License-Identifier: Apache-2.0
//
// Numbers and texts in the payload of frames, one after another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace verbena::job {

class BytesOut {
 public:
  BytesOut& number(uint32_t value);
  BytesOut& text(const std::string& value);
  BytesOut& texts(const std::vector<std::string>& values);
  std::span<const std::byte> all() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// Beyond the end everything is 0 and empty, and good() says so.
class BytesIn {
 public:
  explicit BytesIn(std::span<const std::byte> bytes) : left_(bytes) {}
  uint32_t number();
  std::string text();
  std::vector<std::string> texts();
  /// Whether there was all that was asked for.
  bool good() const { return good_; }

 private:
  std::span<const std::byte> take(size_t bytes);

  std::span<const std::byte> left_;
  bool good_ = true;
};

}  // namespace verbena::job
