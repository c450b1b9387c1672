// SPDX-License-Identifier: Apache-2.0
//
// A node with the ends of a pattern, and another one with all far ends, over both ways.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "channels.h"

namespace verbena::fifo::testing {

using namespace std::chrono_literals;

class Patterns : public ::testing::TestWithParam<Way> {
 protected:
  using Writing = std::vector<std::unique_ptr<Writer>>;
  using Reading = std::vector<std::unique_ptr<Reader>>;

  Patterns() {
    one_.knows(two_);
    two_.knows(one_);
  }

  Place place() const {
    // Whoever waits sleeps at once.
    return {.share = GetParam() == Way::shared, .folder = folders_.path() + "/rings", .spin = 0ns};
  }
  /// Writers of node 1, whose readers are far_.
  Writing writers(uint16_t count, uint64_t capacity = kLeastCapacity) {
    Writing all;
    for (uint16_t i = 0; i < count; i++) {
      far_.push_back(must(two_.channels().openReader(i, capacity)));
      all.push_back(must(one_.channels().openWriter(2, i, kPatience)));
    }
    return all;
  }
  /// Readers of node 1, whose writers are farWriters_.
  Reading readers(uint16_t count, uint64_t capacity = kLeastCapacity) {
    Reading all;
    for (uint16_t i = 0; i < count; i++) {
      all.push_back(must(one_.channels().openReader(i, capacity)));
      farWriters_.push_back(must(two_.channels().openWriter(1, i, kPatience)));
    }
    return all;
  }
  /// One thread does the rounds of both nodes.
  template <typename Holds>
  bool eventually(Holds holds) {
    for (auto end = Channels::Clock::now() + kPatience; Channels::Clock::now() < end;) {
      if (holds()) return true;
      one_.channels().drive();
      two_.channels().drive();
      std::this_thread::yield();
    }
    return false;
  }
  /// The first outcome that is not wouldBlock.
  template <typename Try>
  Outcome finally(Try once) {
    Outcome got = Outcome::wouldBlock;
    eventually([&] { return (got = once()) != Outcome::wouldBlock; });
    return got;
  }
  /// The next message of a reader, of any size.
  std::string next(Reader& reader) {
    std::vector<std::byte> into(1 << 18);
    Popping message{into};
    Outcome got = finally([&] { return reader.pop(message); });
    if (got != Outcome::done) return "outcome " + std::to_string(static_cast<int>(got));
    return textOf(std::span(into).first(message.bytes));
  }
  void send(Writer& writer, const std::string& text) {
    Pushing message{bytesOf(text)};
    ASSERT_EQ(finally([&] { return writer.push(message); }), Outcome::done);
  }

  Folders folders_;
  ChannelNode one_{1, place()};
  ChannelNode two_{2, place()};
  Reading far_;
  Writing farWriters_;
};

inline std::string nameOf(const ::testing::TestParamInfo<Way>& way) {
  return way.param == Way::shared ? "shared" : "device";
}

}  // namespace verbena::fifo::testing
