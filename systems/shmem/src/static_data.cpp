// SPDX-License-Identifier: Apache-2.0
#include "static_data.h"

#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace verbena::shmem {
namespace {

constexpr uint64_t kHashStart = 14695981039346656037U;  // FNV-1a, 64 bits
constexpr uint64_t kHashPrime = 1099511628211U;

uint64_t hash(uint64_t before, const void* bytes, size_t count) {
  const auto* each = static_cast<const unsigned char*>(bytes);
  for (size_t i = 0; i < count; i++) before = (before ^ each[i]) * kHashPrime;
  return before;
}

uintptr_t pageOf(uintptr_t address) {
  auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  return address / page * page;
}

size_t wholePages(size_t bytes) {
  auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

/// The program as it was loaded.
class Image {
 public:
  explicit Image(const dl_phdr_info& info) : info_(info) {}

  Program program() const {
    Program found;
    for (size_t i = 0; i < info_.dlpi_phnum && found.data.count < StaticData::kMost; i++) {
      const auto& header = info_.dlpi_phdr[i];
      bool isData = header.p_type == PT_LOAD && (header.p_flags & (PF_W | PF_X)) == PF_W;
      if (!isData) continue;
      uintptr_t start = std::max(pageOf(at(header)), endOfReadOnly(header));
      uintptr_t end = at(header) + header.p_memsz;
      if (end <= start) continue;
      found.data.ranges[found.data.count++] = {reinterpret_cast<std::byte*>(start), end - start};
      found.bytes += wholePages(end - start);
    }
    uint64_t size = found.bytes;
    found.id = hash(id(), &size, sizeof size);
    return found;
  }

 private:
  uintptr_t at(const ElfW(Phdr) & header) const { return info_.dlpi_addr + header.p_vaddr; }

  /// What the loader takes away the right to write to once it is through.
  uintptr_t endOfReadOnly(const ElfW(Phdr) & segment) const {
    for (size_t i = 0; i < info_.dlpi_phnum; i++) {
      const auto& header = info_.dlpi_phdr[i];
      bool isWithin = header.p_type == PT_GNU_RELRO && header.p_vaddr >= segment.p_vaddr &&
                      header.p_vaddr < segment.p_vaddr + segment.p_memsz;
      if (isWithin) return pageOf(at(header) + header.p_memsz);
    }
    return 0;
  }

  /// By its build id; one that was linked without is all that it has to read.
  uint64_t id() const {
    uint64_t found = kHashStart;
    for (size_t i = 0; i < info_.dlpi_phnum; i++) {
      const auto& header = info_.dlpi_phdr[i];
      if (header.p_type == PT_NOTE && addBuildId(header, found)) return found;
    }
    for (size_t i = 0; i < info_.dlpi_phnum; i++) {
      const auto& header = info_.dlpi_phdr[i];
      bool isFixed = header.p_type == PT_LOAD && (header.p_flags & (PF_R | PF_W)) == PF_R;
      if (isFixed) {
        found = hash(found, reinterpret_cast<const void*>(at(header)), header.p_filesz);
      }
    }
    return found;
  }

  bool addBuildId(const ElfW(Phdr) & notes, uint64_t& to) const {
    constexpr size_t kAligned = 4;
    auto aligned = [](size_t bytes) { return (bytes + kAligned - 1) / kAligned * kAligned; };
    const auto* next = reinterpret_cast<const std::byte*>(at(notes));
    const auto* end = next + notes.p_filesz;
    while (static_cast<size_t>(end - next) >= sizeof(ElfW(Nhdr))) {
      ElfW(Nhdr) note;
      std::memcpy(&note, next, sizeof note);
      const auto* name = next + sizeof note;
      const auto* text = name + aligned(note.n_namesz);
      if (text > end || note.n_descsz > static_cast<size_t>(end - text)) return false;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof "GNU" &&
          std::memcmp(name, "GNU", sizeof "GNU") == 0) {
        to = hash(to, text, note.n_descsz);
        return true;
      }
      next = text + aligned(note.n_descsz);
    }
    return false;
  }

  const dl_phdr_info& info_;
};

/// Word by word: what lies between the variables is theirs alone for a sanitizer. Where there are
/// zeroes already, they are not written.
__attribute__((no_sanitize("address", "thread"))) void copyWords(std::byte* to,
                                                                 const std::byte* from,
                                                                 size_t bytes) {
  auto* target = reinterpret_cast<uint64_t*>(to);
  const auto* source = reinterpret_cast<const volatile uint64_t*>(from);
  for (size_t i = 0; i < bytes / sizeof(uint64_t); i++) {
    uint64_t word = source[i];
    if (word != 0) target[i] = word;
  }
}

// ---- fork: the child's variables are not its parent's

StaticData moved;
thread_local std::array<void*, StaticData::kMost> copies;

void* copyOf(const StaticData::Range& range) {
  size_t bytes = wholePages(range.bytes);
  void* made = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (made != MAP_FAILED) copyWords(static_cast<std::byte*>(made), range.start, bytes);
  return made;
}

void beforeFork() {
  for (size_t i = 0; i < moved.count; i++) copies[i] = copyOf(moved.ranges[i]);
}

void inParent() {
  for (size_t i = 0; i < moved.count; i++) {
    if (copies[i] != MAP_FAILED) munmap(copies[i], wholePages(moved.ranges[i].bytes));
  }
}

/// A child that went on with its parent's would change them.
void inChild() {
  for (size_t i = 0; i < moved.count; i++) {
    size_t bytes = wholePages(moved.ranges[i].bytes);
    void* to = moved.ranges[i].start;
    bool isOwn = copies[i] != MAP_FAILED &&
                 mremap(copies[i], bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) == to;
    if (isOwn) continue;
    constexpr char kSentence[] = "no memory for a forked process's copy of its static data\n";
    [[maybe_unused]] auto written = write(STDERR_FILENO, kSentence, sizeof kSentence - 1);
    _exit(1);
  }
}

/// Before all others are: what those of the program lock before a fork is in the copy, and theirs
/// of the child find it there.
[[maybe_unused, gnu::constructor]] void registerForFork() {
  pthread_atfork(beforeFork, inParent, inChild);
}

}  // namespace

Program Program::find() {
  Program found;
  auto first = [](dl_phdr_info* info, size_t, void* into) {
    *static_cast<Program*>(into) = Image(*info).program();
    return 1;  // it comes before its libraries
  };
  dl_iterate_phdr(first, &found);
  return found;
}

bool Program::moveTo(host::SharedFile& file, size_t offset) {
  for (size_t i = 0; i < data.count; i++) {
    StaticData::Range& range = data.ranges[i];
    size_t pages = wholePages(range.bytes);
    range.offset = offset;
    copyWords(file.as<std::byte>() + offset, range.start, pages);
    if (!file.mapAgain(range.start, offset, pages)) return false;
    offset += pages;
  }
  moved = data;
  return true;
}

}  // namespace verbena::shmem
