// SPDX-License-Identifier: Apache-2.0
#include "outlets.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace verbena::launch {

std::string tagged(uint32_t rank, std::string_view lines) {
  std::string tag = "[" + std::to_string(rank) + "] ";
  std::string all;
  while (!lines.empty()) {
    size_t end = std::min(lines.find('\n'), lines.size());
    all.append(tag).append(lines.substr(0, end)).push_back('\n');
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return all;
}

base::Result<void> Outlets::open() {
  if (mode_ != OutputMode::files || mkdir(folder_.c_str(), 0777) == 0 || errno == EEXIST) return {};
  return base::Error{"make the folder of outputs", folder_, errno, ""};
}

void Outlets::add(uint32_t rank, uint32_t stream, std::string_view lines, Passed passed) {
  if (failure_ || isGivenUp_ || mode_ == OutputMode::files) {
    if (!failure_ && !isGivenUp_) addToFile(rank, stream, lines);
    return passed();
  }
  std::string text = mode_ == OutputMode::tagged ? tagged(rank, lines) : std::string(lines);
  outlets_[stream == 1 ? 0 : 1].pieces.push_back({std::move(text), std::move(passed)});
}

void Outlets::watch(job::Poll& poll) {
  for (Outlet& outlet : outlets_) {
    if (outlet.pieces.empty()) continue;
    poll.watch(outlet.fd, POLLOUT, [this, &outlet] { writeSome(outlet); });
  }
}

/// No more than a pipe that is writable takes without blocking: whose the pipe is we do not know,
/// so it is not set to never block.
void Outlets::writeSome(Outlet& outlet) {
  Piece& piece = outlet.pieces.front();
  size_t bytes = std::min<size_t>(piece.text.size() - outlet.written, PIPE_BUF);
  ssize_t written = write(outlet.fd, piece.text.data() + outlet.written, bytes);
  if (written < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (written < 0) return fail(outlet.fd == 1 ? "standard output" : "standard error", errno);
  outlet.written += static_cast<size_t>(written);
  if (outlet.written < piece.text.size()) return;
  Passed passed = std::move(piece.passed);
  outlet.pieces.pop_front();
  outlet.written = 0;
  passed();
}

void Outlets::addToFile(uint32_t rank, uint32_t stream, std::string_view lines) {
  std::string path = pathOf(rank, stream);
  base::FileDescriptor& file = files_[{rank, stream}];
  if (!file) {
    file =
        base::FileDescriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (!file) return fail(path, errno);
  }
  while (!lines.empty()) {
    ssize_t written = write(file.get(), lines.data(), lines.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail(path, errno);
    lines.remove_prefix(static_cast<size_t>(written));
  }
}

/// Some file systems say only now that there was no room.
void Outlets::closeFiles() {
  for (auto& [whose, file] : files_) {
    int copy = dup(file.get());  // the close of any descriptor tells
    bool failed = copy >= 0 && ::close(copy) != 0 && errno != EINTR;
    if (failed) fail(pathOf(whose.first, whose.second), errno);
  }
  files_.clear();
}

std::string Outlets::pathOf(uint32_t rank, uint32_t stream) const {
  return folder_ + "/rank." + std::to_string(rank) + (stream == 1 ? ".out" : ".err");
}

void Outlets::fail(const std::string& object, int code) {
  if (!failure_) failure_ = base::Error{"write output", object, code, ""};
  drop();
}

void Outlets::giveUp() {
  isGivenUp_ = true;
  drop();
}

void Outlets::drop() {
  for (Outlet& outlet : outlets_) {
    std::deque<Piece> dropped = std::move(outlet.pieces);
    outlet.pieces.clear();
    outlet.written = 0;
    for (Piece& piece : dropped) piece.passed();
  }
}

}  // namespace verbena::launch
