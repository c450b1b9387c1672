// SPDX-License-Identifier: Apache-2.0
#include "outlets.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

#include "base/shortage.h"

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

/// Whose the pipe or the terminal is we do not know, so it is not set to never block: it is opened
/// anew. A write that blocks would hold up signals, ends of ranks, and signs of life.
Outlets::Outlet::Outlet(int fd) : number(fd) {
  struct stat status {};
  if (fstat(fd, &status) != 0) return;
  isSocket = S_ISSOCK(status.st_mode);
  if (!S_ISFIFO(status.st_mode) && isatty(fd) != 1) return;
  std::string path = "/proc/self/fd/" + std::to_string(fd);
  open = base::FileDescriptor(::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

/// Where it could not be opened anew, no more than a pipe that is writable takes without blocking.
ssize_t Outlets::Outlet::writeSome(std::string_view text) const {
  text = text.substr(0, PIPE_BUF);
  if (isSocket) return send(number, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  return write(open ? open.get() : number, text.data(), text.size());
}

base::Result<void> Outlets::open(uint32_t ranks) {
  if (mode_ != OutputMode::files) return {};
  if (mkdir(folder_.c_str(), 0777) != 0 && errno != EEXIST) {
    return base::Error{"make the folder of outputs", folder_, errno, ""};
  }
  // Of all ranks: what an earlier job has left there is not this one's.
  for (uint32_t rank = 0; rank < ranks && !failure_; rank++) {
    for (uint32_t stream : {1U, 2U}) {
      if (!openFile(rank, stream)) return *failure_;
      files_.clear();  // there may be more than can be open
    }
  }
  return {};
}

void Outlets::say(const std::string& sentence) {
  if (failure_ || isGivenUp_) return;
  outlets_[1].pieces.push_back({"verbena-run: " + sentence + "\n", [] {}});
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
    poll.watch(outlet.open ? outlet.open.get() : outlet.number, POLLOUT,
               [this, &outlet] { writeSome(outlet); });
  }
}

void Outlets::writeSome(Outlet& outlet) {
  Piece& piece = outlet.pieces.front();
  ssize_t written = outlet.writeSome(std::string_view(piece.text).substr(outlet.written));
  if (written < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (written < 0) return fail(outlet.number == 1 ? "standard output" : "standard error", errno);
  outlet.written += static_cast<size_t>(written);
  if (outlet.written < piece.text.size()) return;
  Passed passed = std::move(piece.passed);
  outlet.pieces.pop_front();
  outlet.written = 0;
  passed();
}

bool Outlets::openFile(uint32_t rank, uint32_t stream) {
  std::string path = pathOf(rank, stream);
  base::FileDescriptor& file = files_[{rank, stream}];
  file = base::FileDescriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file) fail(path, errno);
  return static_cast<bool>(file);
}

void Outlets::addToFile(uint32_t rank, uint32_t stream, std::string_view lines) {
  base::FileDescriptor& file = files_[{rank, stream}];
  if (!file && !openFile(rank, stream)) return;
  while (!lines.empty()) {
    ssize_t written = write(file.get(), lines.data(), lines.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail(pathOf(rank, stream), errno);
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
  std::string advice = code == EFBIG ? base::adviceOnShortage(code) : "";
  if (!failure_) failure_ = base::Error{"write output", object, code, advice};
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
