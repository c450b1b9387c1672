// SPDX-License-Identifier: Apache-2.0
#include "ending.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <sstream>
#include <string>
#include <string_view>

#include "world.h"

namespace verbena::shmem {
namespace {

constexpr int kMostCalls = 24;
using Calls = std::array<void*, kMostCalls>;

std::atomic<vbn_job*> watched{nullptr};
std::mutex listening;
uint32_t heard = 0;  // ends of PEs; guarded by it
std::atomic<int> endsWith{0};

/// The call of the program that is under way: the one closest to it, as calls use each other.
std::string callIn(const Calls& calls, int count) {
  std::string found;
  for (int i = 0; i < count; i++) {
    Dl_info about{};
    // Behind a call that does not return there may be another function already.
    const auto* within = static_cast<const char*>(calls[static_cast<size_t>(i)]) - 1;
    if (dladdr(within, &about) == 0 || about.dli_sname == nullptr) continue;
    std::string_view name = about.dli_sname;
    if (name.starts_with("pshmem")) name.remove_prefix(1);  // two names of one place
    if (name.starts_with("shmem") || name.starts_with("shfree")) found = std::string(name) + "(): ";
  }
  return found;
}

void lookForTheLost(vbn_job* job) {
  std::unique_lock one(listening, std::try_to_lock);
  vbn_job_end end{};
  end.struct_bytes = sizeof end;
  while (one.owns_lock() && vbn_job_end_at(job, heard, 0, &end) == 1) {
    heard++;
    if (end.status == 0 || end.rank == world.me) continue;
    lookForTheEndAtOnce();  // it may have ended so with the wish that all do
    std::string by = end.status > 128 ? " (signal " + std::to_string(end.status - 128) + ")" : "";
    refuse("PE " + std::to_string(end.rank) + " is lost: it has ended with status " +
           std::to_string(end.status) + by);
  }
}

void lookForTheWish() {
  uint64_t wanted = world.control().exit.load(std::memory_order_acquire);
  if (wanted != 0) endNow(static_cast<int>(wanted & 0xff));
}

}  // namespace

/// A thread that reads may hold its stream for good.
void endNow(int status) {
  constexpr unsigned kPatienceSeconds = 1;
  endsWith.store(status);
  std::signal(SIGALRM, [](int) { _exit(endsWith.load()); });
  sigset_t alarms;
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &alarms, nullptr);
  alarm(kPatienceSeconds);
  std::fflush(nullptr);
  _exit(status);
}

void watch(vbn_job* job) {
  watched.store(job);
}

void lookForTheEnd() {
  constexpr uint32_t kLooksBetween = 64;
  static thread_local uint32_t looks = 0;
  if (world.heapEnd == 0) return;
  lookForTheWish();
  if (++looks % kLooksBetween != 0) return;
  if (vbn_job* job = watched.load()) lookForTheLost(job);
}

void lookForTheEndAtOnce() {
  if (world.heapEnd == 0) return;
  lookForTheWish();
  if (vbn_job* job = watched.load()) lookForTheLost(job);
}

void refuse(const std::string& sentence) {
  Calls calls{};
  int count = backtrace(calls.data(), kMostCalls);
  std::string who = world.me == UINT32_MAX ? "OpenSHMEM" : "PE " + std::to_string(world.me);
  std::fprintf(stderr, "%s: %s%s\n", who.c_str(), callIn(calls, count).c_str(), sentence.c_str());
  if (world.reportsAfter != 0) backtrace_symbols_fd(calls.data(), count, STDERR_FILENO);
  endNow(1);
}

void refuseAddress(const void* address, size_t bytes, int pe) {
  if (world.heapEnd == 0) refuse("call shmem_init() before, and nothing behind shmem_finalize()");
  if (static_cast<uint32_t>(pe) >= world.size) {
    refuse("there is no PE " + std::to_string(pe) + "; they are 0 to " +
           std::to_string(world.size - 1));
  }
  std::ostringstream text;
  text << bytes << " bytes at " << address << " are not in the symmetric memory of PE " << pe
       << "; it is what shmem_malloc() and its kin give, "
       << (world.data.count != 0 ? "and the program's global and static variables"
                                 : "and no variables, as the PEs run different programs or "
                                   "VERBENA_SHMEM_VARIABLES is off");
  refuse(text.str());
}

}  // namespace verbena::shmem
