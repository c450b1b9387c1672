// SPDX-License-Identifier: Apache-2.0
//
// A file of a shared folder, mapped into this process.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "base/descriptor.h"

namespace verbena::host {

/// A shared mapping of a whole file. Move-only; unmaps and closes, but does not remove the name.
/// False and errno where the process may have no file of so many bytes ('ulimit -f'): the kernel
/// would end it for trying.
bool mayHaveFileOf(size_t bytes);

class SharedFile {
 public:
  SharedFile() = default;
  SharedFile(SharedFile&& other) noexcept
      : fd_(std::move(other.fd_)),
        memory_(std::exchange(other.memory_, nullptr)),
        bytes_(std::exchange(other.bytes_, 0)) {}
  SharedFile& operator=(SharedFile&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~SharedFile();

  /// A new file of `bytes` zeroes, readable and writable by this user alone. With `backed`, all its
  /// pages are taken now: running out of memory is an error here instead of a SIGBUS later. Empty
  /// and errno on failure.
  static SharedFile create(const std::string& path, size_t bytes, bool backed);
  /// An existing file of this user, at least `minimumBytes` long. Empty and errno on failure.
  static SharedFile open(const std::string& path, size_t minimumBytes);
  /// The same, whose memory this process can only read.
  static SharedFile openToRead(const std::string& path, size_t minimumBytes);

  /// Takes the pages of a range now. False and errno if there are none left.
  bool back(size_t offset, size_t bytes);
  /// The same by the mapping, without the descriptor, where the system can do that.
  bool populate(size_t offset, size_t bytes);
  static bool canPopulate();
  /// Maps a part of it a second time, in place of what is mapped at an address: whole pages. False
  /// and errno on failure.
  bool mapAgain(void* address, size_t offset, size_t bytes);
  /// Locks the file for as long as it stays open in this process. False if another holds it.
  bool lockForLife();
  /// Whether the process that called lockForLife() on this file is gone.
  bool ownerGone() const;
  /// Whether the file has lost its name since it was opened.
  bool removed() const;
  /// Closes the descriptor and keeps the mapping.
  void closeDescriptor() { fd_ = base::FileDescriptor(); }

  explicit operator bool() const { return memory_ != nullptr; }
  void* memory() const { return memory_; }
  size_t bytes() const { return bytes_; }
  template <typename T>
  T* as() const {
    return static_cast<T*>(memory_);
  }

 private:
  static SharedFile open(const std::string& path, size_t minimumBytes, bool writes);
  bool map(size_t bytes, bool writes);

  base::FileDescriptor fd_;
  void* memory_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace verbena::host
