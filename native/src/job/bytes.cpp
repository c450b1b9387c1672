// SPDX-License-Identifier: Apache-2.0
#include "job/bytes.h"

#include "base/wire.h"

namespace verbena::job {

BytesOut& BytesOut::number(uint32_t value) {
  bytes_.resize(bytes_.size() + sizeof value);
  base::putLittle(std::span(bytes_), bytes_.size() - sizeof value, value);
  return *this;
}

BytesOut& BytesOut::text(const std::string& value) {
  number(static_cast<uint32_t>(value.size()));
  const auto* start = reinterpret_cast<const std::byte*>(value.data());
  bytes_.insert(bytes_.end(), start, start + value.size());
  return *this;
}

BytesOut& BytesOut::texts(const std::vector<std::string>& values) {
  number(static_cast<uint32_t>(values.size()));
  for (const std::string& value : values) text(value);
  return *this;
}

std::span<const std::byte> BytesIn::take(size_t bytes) {
  good_ = good_ && bytes <= left_.size();
  if (!good_) return {};
  std::span<const std::byte> taken = left_.first(bytes);
  left_ = left_.subspan(bytes);
  return taken;
}

uint32_t BytesIn::number() {
  std::span<const std::byte> bytes = take(sizeof(uint32_t));
  return bytes.empty() ? 0 : base::getLittle<uint32_t>(bytes, 0);
}

std::string BytesIn::text() {
  std::span<const std::byte> bytes = take(number());
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<std::string> BytesIn::texts() {
  std::vector<std::string> values;
  for (uint32_t left = number(); left > 0 && good_; left--) values.push_back(text());
  return values;
}

}  // namespace verbena::job
