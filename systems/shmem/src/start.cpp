// SPDX-License-Identifier: Apache-2.0
//
// How the world begins and ends.
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <sstream>
#include <utility>
#include <vector>

#include "ending.h"
#include "far.h"
#include "heap.h"
#include "must.h"
#include "pool.h"
#include "settings.h"
#include "shmem.h"
#include "static_data.h"
#include "symmetric_memory.h"
#include "teams.h"
#include "words.h"
#include "world.h"

namespace verbena::shmem {

constinit World world;

namespace {

constexpr uint64_t kStartNs = 120'000'000'000;
constexpr uint32_t kLooksOfAnOwnProcessor = 2000;

/// Of a PE that is reached by mapped memory alone.
constexpr const char* kNoAddress = "-";

/// Alike at all PEs, whatever pages their hosts have.
size_t wholeLargePages(size_t bytes) {
  return (bytes + kMostPageBytes - 1) / kMostPageBytes * kMostPageBytes;
}

/// What each PE tells the others, in words: its program, its host, its memory's name and size
/// there, and where and with which atomics it is reached otherwise.
struct Card {
  uint64_t program = 0;
  uint64_t host = 0;
  uint64_t memory = 0;
  size_t heapEnd = 0;
  size_t poolBytes = 0;
  size_t bytes = 0;
  uint32_t atomics = VBN_ATOMICS_OF_PROCESSORS;
  std::string address = kNoAddress;
  std::string key = "-";

  std::string text() const {
    std::ostringstream out;
    out << "shmem5 " << program << ' ' << host << ' ' << memory << ' ' << heapEnd << ' '
        << poolBytes << ' ' << bytes << ' ' << atomics << ' ' << address << ' ' << key;
    return out.str();
  }
  static Card read(const std::string& text, uint32_t pe) {
    std::istringstream in(text);
    Card card;
    std::string kind;
    if (in >> kind >> card.program >> card.host >> card.memory >> card.heapEnd >> card.poolBytes >>
            card.bytes >> card.atomics >> card.address >> card.key &&
        kind == "shmem5")
      return card;
    refuse("PE " + std::to_string(pe) +
           " is a program that uses another version of OpenSHMEM, or none");
  }
};

/// All that is there from start to end.
class Started {
 public:
  Started() : settings_(Settings::read()), program_(Program::find()) {
    if (!settings_.sharesVariables) program_ = {};
    size_t heapFrom = wholeLargePages(sizeof(Control));
    heapEnd_ = wholeLargePages(settings_.symmetricBytes) + heapFrom;
    bool hasPool = settings_.poolBytes != 0;
    poolEnd_ = heapEnd_ + (hasPool ? wholeLargePages(sizeof(Pool) + settings_.poolBytes) : 0);
    takeMemory();  // before there are other threads
    heap_.emplace(heapFrom, heapEnd_);
    new (memory_->start()) Control();
    must(vbn_job_open(&job_), "cannot find this PE's job");
    uint32_t size = vbn_job_size(job_);
    world.me = vbn_job_rank(job_);
    near_.resize(size);
    nearForAtomics_.resize(size);
    atomics_.resize(size);
    meet(size);
    if (isOneProgram_) world.data = program_.data;
    world.start = memory_->start();
    world.size = size;
    world.near = near_.data();
    world.nearForAtomics = nearForAtomics_.data();
    world.atomics = atomics_.data();
    world.far = far_.get();
    world.reportsAfter = settings_.reportsAfter.value_or(0);
    world.looks = vbn_job_is_oversubscribed(job_) != 0 ? 0 : kLooksOfAnOwnProcessor;
    if (poolEnd_ != heapEnd_) world.poolBytes = poolEnd_ - heapEnd_ - sizeof(Pool);
    world.heapEnd = heapEnd_;
    watch(job_);
    beginTeams();
    syncAll();
    memory_->removeName();
    syncAll();  // nobody goes before the others have found what they map
    show();
  }
  /// What was put is there: shmem_finalize() has seen to that.
  ~Started() {
    watch(nullptr);  // PEs that have come so far may end as they like
    if (far_ != nullptr) far_->beginToLeave();
    syncAll();
    endTeams();
    world.heapEnd = 0;
    world.data = {};
    world.far = nullptr;
    world.near = nullptr;
    world.nearForAtomics = nullptr;
    if (far_ != nullptr) far_->leave();
    far_.reset();
    vbn_job_free(job_);
  }

  Heap& heap() { return *heap_; }

 private:
  void meet(uint32_t size) {
    bool mayBeFar = vbn_job_local_size(job_) < size || (!settings_.maps && size > 1);
    if (mayBeFar) far_ = std::make_unique<Far>(job_, settings_.device);
    Card own{program_.id, SymmetricMemory::host(), memory_->name(),
             heapEnd_,    settings_.poolBytes,     memory_->bytes()};
    if (far_ != nullptr) {
      own.atomics = far_->atomics();
      own.address = far_->address();
      own.key = far_->share(memory_->start(), memory_->bytes());
    }
    std::string text = own.text();
    must(vbn_job_publish(job_, text.data(), text.size()), "cannot tell the others of this PE");
    must(vbn_job_await_all(job_, kStartNs), "cannot hear of all PEs");
    for (uint32_t pe = 0; pe < size; pe++) {
      atomics_[pe] = meetOne(pe, own);
      if (atomics_[pe] != VBN_ATOMICS_OF_DEVICE) nearForAtomics_[pe] = near_[pe];
    }
    if (own.atomics == VBN_ATOMICS_OF_DEVICE) {
      far_->meetMyself(job_, settings_.device, own.key);
    }
  }

  /// Returns what its device's atomics are.
  uint32_t meetOne(uint32_t pe, const Card& own) {
    if (pe == vbn_job_rank(job_)) {
      near_[pe] = memory_->start();
      return own.atomics;
    }
    std::string text(VBN_JOB_MOST_BYTES, '\0');
    uint64_t bytes = 0;
    must(vbn_job_address(job_, pe, kStartNs, text.data(), text.size(), &bytes),
         "cannot hear of a PE");
    text.resize(bytes);
    Card card = Card::read(text, pe);
    if (card.heapEnd != heapEnd_) {
      refuse("PE " + std::to_string(pe) + " has " + std::to_string(card.heapEnd) +
             " bytes of symmetric memory, and this one " + std::to_string(heapEnd_) +
             "; set SHMEM_SYMMETRIC_SIZE alike for all");
    }
    if (card.poolBytes != settings_.poolBytes) {
      refuse("others may allocate " + std::to_string(card.poolBytes) + " bytes at PE " +
             std::to_string(pe) + ", and " + std::to_string(settings_.poolBytes) +
             " at this one; set VERBENA_SHMEM_POOL_SIZE alike for all");
    }
    isOneProgram_ = isOneProgram_ && card.program == program_.id;
    bool isLikeThis = (card.address == kNoAddress) == (far_ == nullptr);
    if (!isLikeThis) {
      refuse("PE " + std::to_string(pe) + " is reached by " +
             (far_ == nullptr ? "a device, and this one by mapped memory"
                              : "mapped memory, and this one by a device") +
             "; set VERBENA_SHMEM_MAPPING alike for all");
    }
    if (far_ != nullptr) far_->meet(pe, card.address, card.key);
    bool mayMap = settings_.maps && card.host == own.host;
    auto mapped = mayMap ? SymmetricMemory::find(card.memory, card.bytes) : std::nullopt;
    if (mapped) {
      near_[pe] = mapped->as<std::byte>();
      files_.push_back(std::move(*mapped));
    } else if (far_ == nullptr) {
      refuse("PE " + std::to_string(pe) + " is on this host, and its memory is not in " +
             SymmetricMemory::folder());
    }
    return card.atomics;
  }

  void takeMemory() {
    auto memory = SymmetricMemory::make(poolEnd_ + program_.bytes);
    if (!memory) {
      refuse(memory.error().sentence() + "; the program's variables take " +
             std::to_string(program_.bytes) + " of them (VERBENA_SHMEM_VARIABLES=off: none)");
    }
    memory_.emplace(std::move(*memory));
    if (!program_.moveTo(memory_->file(), poolEnd_))
      refuse("cannot map the program's variables: " + std::string(std::strerror(errno)));
  }

  void show() const {
    auto isThere = [](const std::byte* each) { return each != nullptr; };
    auto mapped = std::ranges::count_if(near_, isThere);
    auto byProcessors = std::ranges::count_if(nearForAtomics_, isThere);
    if (settings_.reportsAfter) {
      std::fprintf(stderr,
                   "PE %u of %u: process %d, %zu bytes of symmetric memory at %p; it maps that of "
                   "%zd PEs; others reach it at %s\n",
                   world.me, world.size, getpid(), memory_->bytes(),
                   static_cast<void*>(memory_->start()), mapped,
                   far_ == nullptr ? "nothing" : far_->address().c_str());
    }
    if (world.me != 0) return;
    if (settings_.showsVersion) {
      std::printf("Verbena, OpenSHMEM %d.%d\n", SHMEM_MAJOR_VERSION, SHMEM_MINOR_VERSION);
    }
    if (settings_.showsInfo) {
      std::printf(
          "%u PEs; %zd of them reached by mapped memory, %zd by the processors' atomics; "
          "SHMEM_SYMMETRIC_SIZE=%zu; %zu bytes of variables; VERBENA_SHMEM_POOL_SIZE=%zu\n",
          world.size, mapped, byProcessors, settings_.symmetricBytes,
          world.data.count == 0 ? size_t{0} : program_.bytes, settings_.poolBytes);
    }
    std::fflush(stdout);
  }

  const Settings settings_;
  Program program_;
  vbn_job* job_ = nullptr;
  size_t heapEnd_ = 0;
  size_t poolEnd_ = 0;
  bool isOneProgram_ = true;
  std::optional<SymmetricMemory> memory_;
  std::optional<Heap> heap_;
  std::vector<std::byte*> near_;
  std::vector<std::byte*> nearForAtomics_;
  std::vector<uint32_t> atomics_;
  std::vector<host::SharedFile> files_;
  std::unique_ptr<Far> far_;
};

/// Not an object of its own: who ends without shmem_finalize() waits for nobody.
Started* started = nullptr;
std::mutex allocating;

Started& here() {
  if (started == nullptr) refuse("call shmem_init() before");
  return *started;
}

/// For what a program asks about.
bool isThere(const void* address, int pe) {
  return static_cast<uint32_t>(pe) < world.size && placeOf(address, 1) != kNowhere;
}

void* addressOf(std::optional<size_t> offset) {
  return offset ? world.start + *offset : nullptr;
}

size_t offsetIn(const void* pointer) {
  return static_cast<size_t>(static_cast<const std::byte*>(pointer) - world.start);
}

enum class Contents : uint8_t { any, zeroes };

void* allocate(size_t size, size_t alignment, Contents contents = Contents::any) {
  if (size == 0) return nullptr;
  void* made = nullptr;
  {
    std::lock_guard guard(allocating);
    made = addressOf(here().heap().allocate(size, alignment));
  }
  if (made != nullptr && contents == Contents::zeroes) std::memset(made, 0, size);
  shmem_barrier_all();
  return made;
}

[[noreturn]] void refusePointer(const void* pointer) {
  std::ostringstream text;
  text << pointer << " is nothing that shmem_malloc() has given, or it was freed";
  refuse(text.str());
}

void release(void* pointer) {
  std::lock_guard guard(allocating);
  if (!here().heap().free(offsetIn(pointer))) refusePointer(pointer);
}

}  // namespace

}  // namespace verbena::shmem

using namespace verbena::shmem;

extern "C" {

void shmem_init(void) {
  if (started != nullptr) return;  // as the standard has it of a second call
  started = new Started();
}

int shmem_init_thread(int, int* provided) {
  shmem_init();
  *provided = SHMEM_THREAD_MULTIPLE;
  return 0;
}

void shmem_query_thread(int* provided) {
  *provided = SHMEM_THREAD_MULTIPLE;
}

void shmem_finalize(void) {
  if (started == nullptr) return;
  shmem_barrier_all();
  delete std::exchange(started, nullptr);
}

void shmem_global_exit(int status) {
  here();
  uint64_t wanted = uint64_t{1} << 32 | static_cast<uint32_t>(status & 0xff);
  size_t offset = offsetOf(&world.control().exit, sizeof wanted, shmem_my_pe());
  for (uint32_t pe = 0; pe < world.size; pe++) {
    auto* word = nearAt<std::atomic<uint64_t>>(offset, static_cast<int>(pe));
    if (word != nullptr && pe != world.me) word->store(wanted, std::memory_order_release);
  }
  if (world.far != nullptr) world.far->tryToTellAll(offset, wanted);
  endNow(status);
}

void shmem_pcontrol(int, ...) {}

int shmem_my_pe(void) {
  return static_cast<int>(world.me);
}

int shmem_n_pes(void) {
  return static_cast<int>(world.size);
}

int shmem_pe_accessible(int pe) {
  return static_cast<uint32_t>(pe) < world.size ? 1 : 0;
}

int shmem_addr_accessible(const void* addr, int pe) {
  return isThere(addr, pe) ? 1 : 0;
}

void* shmem_ptr(const void* dest, int pe) {
  if (!isThere(dest, pe)) return nullptr;
  if (pe == shmem_my_pe()) return const_cast<void*>(dest);
  return nearAt<void>(placeOf(dest, 1), pe);
}

void shmem_info_get_version(int* major, int* minor) {
  *major = SHMEM_MAJOR_VERSION;
  *minor = SHMEM_MINOR_VERSION;
}

void shmem_info_get_name(char* name) {
  std::strncpy(name, SHMEM_VENDOR_STRING, SHMEM_MAX_NAME_LEN);
}

void* shmem_malloc(size_t size) {
  return allocate(size, Heap::kAlignment);
}

void* shmem_malloc_with_hints(size_t size, long) {
  return shmem_malloc(size);
}

void* shmem_calloc(size_t count, size_t size) {
  if (size != 0 && count > SIZE_MAX / size) return nullptr;
  return allocate(count * size, Heap::kAlignment, Contents::zeroes);
}

void* shmem_align(size_t alignment, size_t size) {
  if (!std::has_single_bit(alignment)) return nullptr;
  return allocate(size, std::max(alignment, Heap::kAlignment));
}

void* shmem_realloc(void* ptr, size_t size) {
  if (ptr == nullptr) return shmem_malloc(size);
  if (size == 0) {
    shmem_free(ptr);
    return nullptr;
  }
  shmem_barrier_all();
  void* made = nullptr;
  {
    std::lock_guard guard(allocating);
    auto before = here().heap().bytesAt(offsetIn(ptr));
    if (!before) refusePointer(ptr);
    if (here().heap().resize(offsetIn(ptr), size)) {
      made = ptr;
    } else if ((made = addressOf(here().heap().allocate(size))) != nullptr) {
      std::memcpy(made, ptr, std::min(*before, size));
      here().heap().free(offsetIn(ptr));
    }
  }
  shmem_barrier_all();
  return made;
}

void shmem_free(void* ptr) {
  if (ptr == nullptr) return;
  shmem_barrier_all();
  release(ptr);
}
}
