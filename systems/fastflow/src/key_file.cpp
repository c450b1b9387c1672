// SPDX-License-Identifier: Apache-2.0
#include "key_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>

namespace verbena::mtcl {
namespace {

constexpr std::size_t kMostBytes = 4096;

/// Closes itself.
struct File {
  explicit File(const std::string& path)
      : fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~File() {
    if (fd >= 0) close(fd);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  const int fd;
};

std::string failed(const char* what) {
  return std::string("it cannot be ") + what + ": " + std::generic_category().message(errno);
}

/// Empty if the user alone may use it.
std::string whyNotPrivate(const struct stat& status, const std::string& path) {
  if (!S_ISREG(status.st_mode)) return "it is no file";
  if (status.st_uid != geteuid()) return "it belongs to another user";
  if ((status.st_mode & 077) == 0) return "";
  std::array<char, 8> mode{};
  std::snprintf(mode.data(), mode.size(), "%03o", status.st_mode & 0777U);
  return std::string("others may use it, its mode is ") + mode.data() + "; run 'chmod 600 " + path +
         "'";
}

/// As with the other files of keys: what an editor puts behind a key is none of it.
void dropSpaceAround(std::vector<char>& key) {
  auto isSpace = [](char each) { return static_cast<unsigned char>(each) <= ' '; };
  while (!key.empty() && isSpace(key.back())) key.pop_back();
  key.erase(key.begin(), std::find_if_not(key.begin(), key.end(), isSpace));
}

}  // namespace

std::string readKeyFile(const std::string& path, std::vector<char>& key) {
  File file(path);
  struct stat status {};
  if (file.fd < 0 || fstat(file.fd, &status) != 0) return failed("opened");
  std::string why = whyNotPrivate(status, path);
  if (!why.empty()) return why;
  key.resize(kMostBytes + 1);
  ssize_t got = read(file.fd, key.data(), key.size());
  if (got < 0) return failed("read");
  key.resize(static_cast<std::size_t>(got));
  dropSpaceAround(key);
  if (key.empty()) return "it is empty; 'openssl rand -hex 32' makes a key";
  if (key.size() <= kMostBytes) return "";
  return "it has more than " + std::to_string(kMostBytes) + " bytes, the most that a key has";
}

}  // namespace verbena::mtcl
