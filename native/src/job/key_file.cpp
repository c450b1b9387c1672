// SPDX-License-Identifier: Apache-2.0
#include "job/key_file.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <iterator>

#include "base/descriptor.h"

namespace verbena::job {
namespace {

constexpr size_t kFewestKeyBytes = 16;
constexpr size_t kMostKeyBytes = 4096;

base::Error cannotRead(const std::string& path, int code, const std::string& advice) {
  return base::Error{"read the job's key", path, code, advice};
}

/// As nodes in Java take a key from its file.
std::string withoutSpaceAround(const std::string& text) {
  auto isSpace = [](char each) { return static_cast<unsigned char>(each) <= ' '; };
  auto first = std::find_if_not(text.begin(), text.end(), isSpace);
  auto last = std::find_if_not(text.rbegin(), std::make_reverse_iterator(first), isSpace);
  return {first, last.base()};
}

std::string octal(mode_t mode) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "%03o", mode & 0777U);
  return text.data();
}

}  // namespace

base::Result<std::string> freshKey() {
  std::array<unsigned char, 32> random;
  if (getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size())) {
    return base::Error{"make a key", "", errno, ""};
  }
  std::string key;
  for (unsigned char byte : random) {
    key += "0123456789abcdef"[byte >> 4];
    key += "0123456789abcdef"[byte & 15];
  }
  return key;
}

base::Result<void> writeKeyFile(const std::string& path, const std::string& key) {
  base::FileDescriptor file(
      open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) return base::Error{"make the job's key", path, errno, ""};
  if (write(file.get(), key.data(), key.size()) != static_cast<ssize_t>(key.size())) {
    return base::Error{"write the job's key", path, errno, ""};
  }
  return {};
}

base::Result<std::string> readKeyFile(const std::string& path) {
  base::FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status;
  if (!file || fstat(file.get(), &status) != 0) return cannotRead(path, errno, "");
  if (status.st_uid != geteuid()) return cannotRead(path, EPERM, "it belongs to another user");
  if ((status.st_mode & 077) != 0) {
    return cannotRead(path, EPERM,
                      "others may use the file, its mode is " + octal(status.st_mode) +
                          "; run 'chmod 600 " + path + "'");
  }
  std::string key(kMostKeyBytes + 1, '\0');
  ssize_t got = read(file.get(), key.data(), key.size());
  if (got < 0) return cannotRead(path, errno, "");
  if (static_cast<size_t>(got) > kMostKeyBytes) {
    return cannotRead(path, EFBIG, "a key has at most " + std::to_string(kMostKeyBytes) + " bytes");
  }
  key.resize(static_cast<size_t>(got));
  key = withoutSpaceAround(key);
  if (key.size() >= kFewestKeyBytes) return key;
  return cannotRead(path, 0,
                    "it holds a key of " + std::to_string(key.size()) +
                        " bytes; expected at least " + std::to_string(kFewestKeyBytes) +
                        ", 'openssl rand -hex 32' makes one");
}

}  // namespace verbena::job
