// SPDX-License-Identifier: Apache-2.0
#include "lines.h"

namespace verbena::launch {

void Lines::add(std::string_view bytes, const Sink& sink) {
  size_t whole = bytes.rfind('\n') + 1;  // 0 if there is none
  if (whole > 0) {
    begun_.append(bytes.substr(0, whole));
    sink(begun_);
    begun_.clear();
  }
  begun_.append(bytes.substr(whole));
  if (begun_.size() >= kMostBytes) finish(sink);
}

void Lines::finish(const Sink& sink) {
  if (!begun_.empty()) sink(begun_);
  begun_.clear();
}

}  // namespace verbena::launch
