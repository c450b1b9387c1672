// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

namespace verbena::base {

/// Values whose bytes are all zero at first. Their pages are made by the kernel, each when it is
/// first used: what is long, and of which little is used, costs little memory and no time.
/// Throws std::bad_alloc.
template <typename T>
class Zeroed {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  Zeroed() = default;
  explicit Zeroed(size_t count) : first_(map(count)), count_(count) {}
  ~Zeroed() {
    if (count_ != 0) munmap(first_, count_ * sizeof(T));
  }
  Zeroed(Zeroed&& other) noexcept
      : first_(std::exchange(other.first_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  Zeroed& operator=(Zeroed&& other) noexcept {
    std::swap(first_, other.first_);
    std::swap(count_, other.count_);
    return *this;
  }

  size_t size() const { return count_; }
  T& operator[](size_t index) { return first_[index]; }
  const T& operator[](size_t index) const { return first_[index]; }

 private:
  static T* map(size_t count) {
    if (count == 0) return nullptr;
    if (count > std::numeric_limits<size_t>::max() / sizeof(T)) throw std::bad_alloc();
    void* first = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (first == MAP_FAILED) throw std::bad_alloc();
    return static_cast<T*>(first);
  }

  T* first_ = nullptr;
  size_t count_ = 0;
};

}  // namespace verbena::base
