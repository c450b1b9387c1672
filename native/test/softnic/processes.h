// SPDX-License-Identifier: Apache-2.0
//
// A second process for a test, and a line to it.
#pragma once

#include <functional>
#include <span>

#include "ends.h"

namespace verbena::softnic::testing {

/// What one side must know of the other.
struct Address {
  ibv_gid gid;
  uint32_t qpNum;
  uint32_t rkey;
  uint64_t memory;
};

/// The line between two processes.
class Line {
 public:
  explicit Line(int fd) : fd_(fd) {}
  /// False when the other side has gone.
  bool tell(std::span<const std::byte> bytes) const;
  bool hear(std::span<std::byte> bytes) const;
  template <typename T>
  bool tell(const T& value) const {
    return tell(std::as_bytes(std::span(&value, 1)));
  }
  /// Whether there is something to hear.
  bool heard() const;
  template <typename T>
  T hear() const {
    T value{};
    if (!hear(std::as_writable_bytes(std::span(&value, 1))))
      throw std::runtime_error("line is cut");
    return value;
  }

 private:
  int fd_;
};

/// A child process that runs `body` and then leaves at once. Start it before anything is opened in
/// this process.
class Child {
 public:
  explicit Child(const std::function<void(const Line&)>& body);
  /// Kills what is still there.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  const Line& line() const { return line_; }
  /// Returns when the child has stopped itself (SIGSTOP); goOn() continues it.
  void awaitStop() const;
  void goOn() const;
  /// What has become of it since somebody looked last; does not wait.
  enum class Change : uint8_t { None, Stopped, Ended };
  Change look();
  /// Stops it wherever it is.
  void stop() const;
  void kill();
  /// 0 if the body returned, and nothing it expected failed.
  int wait();

 private:
  Line line_{-1};
  int pid_ = -1;
};

Address addressOf(const End& end);
void connectTo(const End& end, const Address& peer, verbs::RtsAttributes rts = {});
/// Whether the end can read what its only peer sends, within kPatience and without a call.
bool hasOpenLink(const End& end);

}  // namespace verbena::softnic::testing
