// SPDX-License-Identifier: Apache-2.0
#include "job/stream.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/wire.h"

namespace verbena::job {
namespace {

constexpr size_t kHeaderBytes = 12;
constexpr size_t kMostFrameBytes = 64 << 20;
constexpr size_t kReadBytes = 64 << 10;

/// To a socket without the signal: a far side that has gone must not end a process that is a
/// user's. Whoever sends through pipes is a process of ours, which ignores it.
ssize_t put(int out, std::span<const std::byte> bytes) {
  ssize_t sent = ::send(out, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  bool isPipe = sent < 0 && errno == ENOTSOCK;
  return isPipe ? write(out, bytes.data(), bytes.size()) : sent;
}

/// Drops the front once it is most of the whole.
void compact(std::vector<std::byte>& bytes, size_t& front) {
  if (front < bytes.size() && front < kReadBytes) return;
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(front));
  front = 0;
}

}  // namespace

Stream::Stream(base::FileDescriptor in, base::FileDescriptor out)
    : in_(std::move(in)), out_(std::move(out)), open_(true) {
  base::makeNonBlocking(in_.get());
  base::makeNonBlocking(out_.get());
}

void Stream::close() {
  open_ = false;
  in_ = {};
  out_ = {};
}

void Stream::refuse() {
  close();
  inbox_.clear();
  taken_ = 0;
}

void Stream::send(FrameKind kind, uint32_t rank, std::span<const std::byte> bytes) {
  if (!open_ || takesNoMore_) return;
  std::array<std::byte, kHeaderBytes> header;
  base::putLittle(std::span<std::byte>(header), 0, static_cast<uint32_t>(bytes.size()));
  base::putLittle(std::span<std::byte>(header), 4, static_cast<uint32_t>(kind));
  base::putLittle(std::span<std::byte>(header), 8, rank);
  std::vector<std::byte>& into = outgoing();
  into.insert(into.end(), header.begin(), header.end());
  into.insert(into.end(), bytes.begin(), bytes.end());
}

void Stream::sendText(std::string_view text) {
  const auto* start = reinterpret_cast<const std::byte*>(text.data());
  outgoing().insert(outgoing().end(), start, start + text.size());
}

void Stream::flush() {
  if (seal_) seal_->close(toSeal_, unsent_);
  toSeal_.clear();
  while (hasUnsent()) {
    ssize_t written = put(out_.get(), std::span(unsent_).subspan(unsentFrom_));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) break;
    if (written < 0) {
      takesNoMore_ = true;
      unsentFrom_ = unsent_.size();
      break;
    }
    unsentFrom_ += static_cast<size_t>(written);
  }
  compact(unsent_, unsentFrom_);
}

void Stream::watch(Poll& poll, std::function<void()> arrived) {
  if (!open_) return;
  flush();
  if (hasUnsent()) poll.watch(out_.get(), POLLOUT, [this] { flush(); });
  poll.watch(in_.get(), POLLIN, [this, arrived = std::move(arrived)] {
    read();
    arrived();
  });
}

void Stream::read() {
  if (!open_) return;
  compact(inbox_, taken_);
  std::vector<std::byte>& into = seal_ ? sealed_ : inbox_;
  size_t before = into.size();
  into.resize(before + kReadBytes);
  ssize_t got = ::read(in_.get(), into.data() + before, kReadBytes);
  int failure = errno;
  into.resize(before + static_cast<size_t>(std::max<ssize_t>(got, 0)));
  bool isOver = got == 0 || (got < 0 && failure != EAGAIN && failure != EINTR);
  bool isForged = seal_ && !seal_->open(sealed_, inbox_);
  if (isOver || isForged) close();
}

std::optional<Frame> Stream::next() {
  std::span<const std::byte> all = std::span<const std::byte>(inbox_).subspan(taken_);
  if (all.size() < kHeaderBytes) return std::nullopt;
  size_t bytes = base::getLittle<uint32_t>(all, 0);
  if (bytes > kMostFrameBytes) {
    close();
    return std::nullopt;
  }
  if (all.size() < kHeaderBytes + bytes) return std::nullopt;
  std::span<const std::byte> payload = all.subspan(kHeaderBytes, bytes);
  Frame frame{static_cast<FrameKind>(base::getLittle<uint32_t>(all, 4)),
              base::getLittle<uint32_t>(all, 8),
              {payload.begin(), payload.end()}};
  taken_ += kHeaderBytes + bytes;
  return frame;
}

std::optional<std::string> Stream::skipBehind(std::string_view text) {
  std::string_view all(reinterpret_cast<const char*>(inbox_.data()) + taken_,
                       inbox_.size() - taken_);
  size_t at = all.find(text);
  if (at == std::string_view::npos) return std::nullopt;
  taken_ += at + text.size();
  return std::string(all.substr(0, at));
}

}  // namespace verbena::job
