// SPDX-License-Identifier: Apache-2.0
#include "input.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/clock.h"
#include "job/stream.h"

namespace verbena::launch {
namespace {

constexpr size_t kInputBytes = 16 << 10;
constexpr uint64_t kLookNs = 200'000'000;

/// Whether reading would stop this process, because the terminal is somebody else's at the moment.
bool isInBackground() {
  return isatty(STDIN_FILENO) == 1 && tcgetpgrp(STDIN_FILENO) != getpgrp();
}

}  // namespace

void Input::watch(job::Poll& poll, const PassOn& passOn) {
  size_t most = *std::max_element(underWay_.begin(), underWay_.end());
  if (ended_ || most >= job::kWindowBytes) return;
  // A shell tells nobody that it has given the terminal to a process that runs.
  isBackground_ = isBackground_ && isInBackground();
  if (isBackground_) return poll.until(base::monotonicNs() + kLookNs);
  poll.watch(STDIN_FILENO, POLLIN, [this, &passOn] { read(passOn); });
}

void Input::read(const PassOn& passOn) {
  isBackground_ = isInBackground();
  if (isBackground_) return;
  std::array<std::byte, kInputBytes> bytes;
  ssize_t got = ::read(STDIN_FILENO, bytes.data(), bytes.size());
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
  ended_ = got <= 0;
  size_t count = ended_ ? 0 : static_cast<size_t>(got);
  for (size_t& underWay : underWay_) underWay += count;
  passOn(std::span(bytes).first(count));
}

}  // namespace verbena::launch
