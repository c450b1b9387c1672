// SPDX-License-Identifier: Apache-2.0
#include "softnic/memory/folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <vector>

#include "base/random_number.h"
#include "host/private_folder.h"

namespace verbena::softnic {
namespace {

std::string hex(uint64_t number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

std::string defaultPath() {
  struct stat status;
  bool shm = stat("/dev/shm", &status) == 0 && access("/dev/shm", W_OK) == 0;
  return std::string(shm ? "/dev/shm" : "/tmp") + "/verbena-softnic-" + std::to_string(geteuid());
}

/// FNV-1a: spreads names of hosts and folders over GIDs; no secret.
uint64_t hash(const std::string& text) {
  uint64_t h = 0xcbf29ce484222325;
  for (char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return h;
}

}  // namespace

std::string Folder::chosenPath() {
  const char* chosen = std::getenv("VERBENA_SOFTNIC_DIR");
  return chosen != nullptr && *chosen != 0 ? chosen : defaultPath();
}

std::optional<Folder> Folder::open() {
  std::string path = chosenPath();
  if (!host::makePrivateFolder(path)) return std::nullopt;
  return Folder(path);
}

ibv_gid Folder::gid() const {
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  struct stat status {};
  stat(path_.c_str(), &status);
  std::string name;
  std::ifstream(path_ + "/id") >> name;
  // An inode of this boot names the folder however a container has mounted it.
  uint64_t id = hash(boot + ":" + std::to_string(status.st_dev) + ":" +
                     std::to_string(status.st_ino) + ":" + name);
  ibv_gid gid{};
  const unsigned char prefix[8] = {0xfd, 'v', 'b', 'n', 0, 0, 0, 0};  // a unique local address
  std::memcpy(gid.raw, prefix, sizeof prefix);
  std::memcpy(gid.raw + 8, &id, sizeof id);
  return gid;
}

host::SharedFile Folder::takeSlot(uint32_t lowest) const {
  host::FolderLock lock(path_);
  if (!lock || !name()) return {};
  sweep();
  for (uint32_t slot = lowest; slot < kSlots; slot++) {
    host::SharedFile port = createPort(slot);
    if (port || errno != EEXIST) return port;
  }
  errno = ENOSPC;
  return {};
}

/// Under the lock. Ports that are there already when it gets a name have lost theirs with it: they
/// are reached no more, as their GID says.
bool Folder::name() const {
  std::string path = path_ + "/id";
  if (access(path.c_str(), F_OK) == 0) return true;
  if (!host::mayHaveFileOf(hex(0).size())) return false;
  std::string whole = path + ".new";
  std::ofstream out(whole, std::ios::trunc);
  out << hex(base::randomNumber()) << std::flush;
  return out.good() && rename(whole.c_str(), path.c_str()) == 0;
}

host::SharedFile Folder::createPort(uint32_t slot) const {
  host::SharedFile file = host::SharedFile::create(portPath(slot), sizeof(PortMemory), false);
  if (!file) return file;
  // Peers can map the file from here on, but find no magic and no owner before it is complete.
  if (!file.lockForLife() || !file.back(0, offsetof(PortMemory, qps))) {
    int reason = errno;
    unlink(portPath(slot).c_str());
    errno = reason;
    return {};
  }
  auto* port = file.as<PortMemory>();
  port->slot = slot;
  port->incarnation = base::randomNumber();
  return file;
}

host::SharedFile Folder::openPort(uint32_t slot) const {
  host::SharedFile file = host::SharedFile::open(portPath(slot), sizeof(PortMemory));
  if (!file) {
    if (!base::isExhausted(errno)) errno = EHOSTUNREACH;
    return file;
  }
  auto* port = file.as<PortMemory>();
  // acquire pairs with the release of the owner: the rest of the header is there if `open` is
  bool open = port->open.load(std::memory_order_acquire) == 1;
  bool living = open && port->magic == kPortMagic && port->slot == slot && !file.ownerGone();
  if (living) return file;
  errno = EHOSTUNREACH;
  return {};
}

std::string Folder::portPath(uint32_t slot) const {
  return path_ + "/port-" + std::to_string(slot);
}

std::string Folder::ringPath(uint32_t from, uint64_t writerIncarnation, uint32_t to,
                             uint64_t readerIncarnation) const {
  return path_ + "/ring-" + std::to_string(from) + "-" + std::to_string(to) + "-" +
         hex(readerIncarnation) + "-" + hex(writerIncarnation);
}

/// Removes the files of ports whose owner is gone, and files that belong to no port at all. The
/// names of rings and segments end with the incarnation of the port that made them.
void Folder::sweep() const {
  std::vector<std::string> names = host::namesIn(path_);
  std::vector<std::string> living;
  for (const std::string& name : names) {
    if (!host::isOfForm(name, "port-#")) continue;
    std::string path = path_ + "/" + name;
    if (host::isOrphan(path)) {
      unlink(path.c_str());
      continue;
    }
    host::SharedFile port = host::SharedFile::open(path, offsetof(PortMemory, gids));
    // Who cannot look does not know what is whose.
    if (!port) return;
    living.push_back(hex(port.as<PortMemory>()->incarnation));
  }
  for (const std::string& name : names) {
    if (!host::isOfForm(name, "ring-#-#-$-$") && !host::isOfForm(name, "seg-#-$")) continue;
    bool owned = false;
    for (const std::string& incarnation : living) owned = owned || name.ends_with(incarnation);
    if (!owned) unlink((path_ + "/" + name).c_str());
  }
}

}  // namespace verbena::softnic
