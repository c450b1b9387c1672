// SPDX-License-Identifier: Apache-2.0
//
// What the launcher and the agent of a host say to each other, over the standard input and output
// of the agent: a pair of sockets on this host, ssh or the like elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "job/polling.h"
#include "job/seal.h"

namespace verbena::job {

/// `rank` of a frame is 0 where none is meant.
enum class FrameKind : uint32_t {
  // from the launcher
  start = 1,  ///< a StartOrder
  input,      ///< standard input; empty at its end
  signal,     ///< for all ranks: a number
  taken,      ///< so many bytes of output have been passed on: as many may come
  finish,     ///< all ranks are to end, within so many milliseconds
  // from the agent
  hello,       ///< its host's name
  output,      ///< of a rank: 1 or 2, then bytes
  failed,      ///< a rank could not be started: its exit status, a sentence
  inputTaken,  ///< so many bytes of input were passed on
  done,        ///< nothing of the job is left on the host, and all output was sent
  // both
  published,  ///< a rank's address
  ended,      ///< a rank has ended: its status
  alive       ///< nothing else, so that silence means something
};

struct Frame {
  FrameKind kind;
  uint32_t rank;
  std::vector<std::byte> bytes;
};

/// Its first bytes from the agent, behind whatever a login shell may have said before.
inline constexpr std::string_view kGreeting = "\x01verbena-agent 3\n";

/// Output of a host, and input of rank 0, that may be under way: so neither is in the way of what
/// has to arrive at once.
inline constexpr size_t kWindowBytes = 256 << 10;

class Stream {
 public:
  Stream() = default;
  Stream(base::FileDescriptor in, base::FileDescriptor out);

  bool isOpen() const { return open_; }
  void close();
  /// As close(), and nothing of what has come is taken any more: it makes no sense.
  void refuse();

  /// Never blocks; what does not leave at once leaves in the rounds to come.
  void send(FrameKind kind, uint32_t rank, std::span<const std::byte> bytes);
  void sendText(std::string_view text);
  /// What is sent and comes from here on is sealed.
  void seal(Seal seal) { seal_.emplace(std::move(seal)); }
  bool hasUnsent() const { return open_ && (unsentFrom_ < unsent_.size() || !toSeal_.empty()); }
  void flush();

  /// Watches both directions; `arrived` is called when there may be frames, or an end.
  void watch(Poll& poll, std::function<void()> arrived);
  /// The next frame. None may mean that the stream has ended: isOpen().
  std::optional<Frame> next();
  /// Passes over bytes until behind the text; what came before it, of which nothing is kept once
  /// it was found. Nothing if it has not come yet.
  std::optional<std::string> skipBehind(std::string_view text);
  size_t unreadBytes() const { return inbox_.size() - taken_; }

 private:
  void read();
  std::vector<std::byte>& outgoing() { return seal_ ? toSeal_ : unsent_; }

  base::FileDescriptor in_;
  base::FileDescriptor out_;
  bool open_ = false;
  bool takesNoMore_ = false;  ///< what has come from there may still be read, and then its end
  std::vector<std::byte> inbox_;
  size_t taken_ = 0;
  std::vector<std::byte> unsent_;
  size_t unsentFrom_ = 0;
  std::optional<Seal> seal_;
  std::vector<std::byte> toSeal_;
  std::vector<std::byte> sealed_;  ///< has come, and is no whole record yet
};

}  // namespace verbena::job
