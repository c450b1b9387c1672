// SPDX-License-Identifier: Apache-2.0
#include "job/publishing.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/wire.h"
#include "job/contract.h"

namespace verbena::job {
namespace {

constexpr std::chrono::seconds kPatience{30};
constexpr size_t kMostAnswerBytes = 512;
constexpr int kType = SOCK_SEQPACKET | SOCK_CLOEXEC;

/// False for a path that is too long for a socket.
bool setPath(sockaddr_un& address, const std::string& folder) {
  std::string path = folder + "/" + kSocketName;
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return false;
  }
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return true;
}

base::Error cannotPublish(const std::string& folder, int code, const std::string& advice) {
  return base::Error{"publish the address", folder, code, advice};
}

}  // namespace

base::Result<void> publishAt(const std::string& folder, uint32_t rank,
                             std::span<const std::byte> address) {
  base::FileDescriptor socket(::socket(AF_UNIX, kType, 0));
  sockaddr_un to{};
  if (!socket || !setPath(to, folder)) return cannotPublish(folder, errno, "");
  if (connect(socket.get(), reinterpret_cast<sockaddr*>(&to), sizeof to) != 0) {
    return cannotPublish(folder, errno, "the job's launcher is gone, or another user's");
  }
  std::array<std::byte, kMostPublicationBytes> message{};
  base::putLittle<uint32_t>(message, 0, rank);
  std::copy(address.begin(), address.end(), message.begin() + 4);
  if (send(socket.get(), message.data(), 4 + address.size(), MSG_NOSIGNAL) < 0) {
    return cannotPublish(folder, errno, "");
  }
  if (!base::waitReadable(socket.get(), kPatience)) {
    return cannotPublish(folder, ETIMEDOUT, "the launcher's agent on this host does not answer");
  }
  std::array<char, kMostAnswerBytes> answer;
  ssize_t got = recv(socket.get(), answer.data(), answer.size(), 0);
  // One byte stands before the sentence, so that an empty one is not the connection's end.
  if (got < 1) return cannotPublish(folder, got < 0 ? errno : ECONNRESET, "");
  if (got > 1) return cannotPublish(folder, 0, {answer.data() + 1, static_cast<size_t>(got) - 1});
  return {};
}

std::optional<Publication> Publication::read(std::span<const std::byte> message) {
  if (message.size() < 4 || message.size() > 4 + kMostBytes) return std::nullopt;
  return Publication{base::getLittle<uint32_t>(message, 0), message.subspan(4)};
}

base::FileDescriptor listenForPublications(const std::string& folder) {
  base::FileDescriptor socket(::socket(AF_UNIX, kType | SOCK_NONBLOCK, 0));
  sockaddr_un at{};
  if (!socket || !setPath(at, folder)) return {};
  if (bind(socket.get(), reinterpret_cast<sockaddr*>(&at), sizeof at) != 0) return {};
  if (listen(socket.get(), SOMAXCONN) != 0) return {};
  return socket;
}

}  // namespace verbena::job
