// SPDX-License-Identifier: Apache-2.0
#include "status.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "failure.h"
#include "host/private_folder.h"
#include "report.h"

namespace verbena::ip {
namespace {

using base::FileDescriptor;

constexpr char kAsksForJson = 'j';
constexpr char kAsksForText = 't';
constexpr timeval kAnswerTime{.tv_sec = 2, .tv_usec = 0};

std::string folder() {
  const char* runtime = geteuid() == 0 ? "/run" : std::getenv("XDG_RUNTIME_DIR");
  return std::string(runtime == nullptr ? "/tmp" : runtime) + "/verbena-ip-" +
         std::to_string(geteuid());
}

sockaddr_un addressOf(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    fail("use the socket", path, ENAMETOOLONG, "a shorter name of the interface or its namespace");
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

FileDescriptor newSocket() {
  FileDescriptor made(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!made) fail("make a socket", "", errno);
  setsockopt(made.get(), SOL_SOCKET, SO_RCVTIMEO, &kAnswerTime, sizeof kAnswerTime);
  setsockopt(made.get(), SOL_SOCKET, SO_SNDTIMEO, &kAnswerTime, sizeof kAnswerTime);
  return made;
}

}  // namespace

std::string socketPath(const std::string& name, const std::string& netns) {
  if (name.find('/') != std::string::npos || netns.find('/') != std::string::npos) {
    fail("take the name '" + name + "' in '" + netns + "'", "", 0, "a name has no '/'");
  }
  std::string space = netns.empty() ? "/proc/self/ns/net" : "/run/netns/" + netns;
  struct stat about {};
  if (stat(space.c_str(), &about) != 0) {
    fail("enter the network namespace", netns, errno, "'ip netns list' has those that are there");
  }
  return folder() + "/" + std::to_string(about.st_ino) + "-" + name;
}

StatusServer::StatusServer(const std::string& path) : path_(path), socket_(newSocket()) {
  if (!host::makePrivateFolder(folder())) {
    fail("make the folder", folder(), errno, "it has to be this user's alone");
  }
  lock_ = FileDescriptor(open((folder() + "/lock-" + path.substr(path.rfind('/') + 1)).c_str(),
                              O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock_ || flock(lock_.get(), LOCK_EX | LOCK_NB) != 0) {
    fail("take the interface", path, errno, "another vbn-ip has it");
  }
  unlink(path.c_str());
  sockaddr_un address = addressOf(path);
  if (bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      listen(socket_.get(), 4) != 0) {
    fail("listen at", path, errno);
  }
}

StatusServer::~StatusServer() {
  unlink(path_.c_str());
}

void StatusServer::answer(Network& network) {
  FileDescriptor asked(accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!asked) return;
  setsockopt(asked.get(), SOL_SOCKET, SO_RCVTIMEO, &kAnswerTime, sizeof kAnswerTime);
  setsockopt(asked.get(), SOL_SOCKET, SO_SNDTIMEO, &kAnswerTime, sizeof kAnswerTime);
  char question = 0;
  if (read(asked.get(), &question, 1) != 1) return;
  std::string text;
  try {
    text = question == kAsksForJson ? statusJson(network) : statusText(network);
  } catch (const std::exception& failure) {
    text = std::string(failure.what()) + "\n";  // the interface is gone, and so will be the network
  }
  for (size_t sent = 0; sent < text.size();) {
    ssize_t more = send(asked.get(), text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (more <= 0) return;
    sent += static_cast<size_t>(more);
  }
}

std::string askForStatus(const std::string& path, bool json) {
  FileDescriptor asking = newSocket();
  sockaddr_un address = addressOf(path);
  char question = json ? kAsksForJson : kAsksForText;
  if (connect(asking.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      send(asking.get(), &question, 1, MSG_NOSIGNAL) != 1) {
    fail("ask", path, errno, "no vbn-ip of this user has an interface of this name and namespace");
  }
  std::string text;
  std::array<char, 4096> part;
  for (;;) {
    ssize_t got = read(asking.get(), part.data(), part.size());
    if (got < 0) fail("hear from", path, errno);
    if (got == 0) return text;
    text.append(part.data(), static_cast<size_t>(got));
  }
}

}  // namespace verbena::ip
