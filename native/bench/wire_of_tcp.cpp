// SPDX-License-Identifier: Apache-2.0
#include "wire_of_tcp.h"

#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "device_options.h"

namespace verbena::bench {
namespace {

std::string& folderToRemove() {
  static std::string path;
  return path;
}

pid_t& maker() {
  static pid_t process = 0;
  return process;
}

/// Processes that were forked since come here, too.
void removeFolder() {
  if (getpid() != maker()) return;
  std::error_code ignored;
  std::filesystem::remove_all(folderToRemove(), ignored);
}

}  // namespace

WireOfTcp::WireOfTcp(const char* tool) {
  std::string pattern = "/dev/shm/" + std::string(tool) + "-XXXXXX";  // memory that is no disk's
  if (mkdtemp(pattern.data()) == nullptr) {
    die(tool, "cannot make " + pattern + ": " + std::strerror(errno));
  }
  folder = pattern;
  folderToRemove() = folder;
  maker() = getpid();
  std::atexit(removeFolder);  // also where something is wrong
  if (getrandom(key.data(), key.size(), 0) != static_cast<ssize_t>(key.size())) {
    die(tool, "no random bytes for a key");
  }
}

}  // namespace verbena::bench
