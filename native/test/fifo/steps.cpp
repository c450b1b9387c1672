// SPDX-License-Identifier: Apache-2.0
#include "steps.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <vector>

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define VERBENA_CAN_STEP 1
#else
#define VERBENA_CAN_STEP 0
#endif

namespace verbena::fifo::testing {

void halt(int signal) {
  kill(getpid(), signal);
}

#if VERBENA_CAN_STEP

namespace {

void handle(int number, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(number, &action, nullptr);
}

// ------------------------------------------------------------------ instructions

constexpr uint64_t kTrapFlag = 0x100;  // of the flags register

const std::function<void(uint64_t)>* visit = nullptr;
uint64_t steps = 0;

void trapped(int, siginfo_t*, void*) {
  int before = errno;
  (*visit)(++steps);
  errno = before;
}

// ------------------------------------------------------------------ system calls

std::atomic<uint64_t> calls{0};
std::atomic<uint64_t> haltsAt{0};
std::atomic<bool> counts{false};
int haltsBy = 0;

/// By which others see of a process: what it sends, and what it makes and removes of files.
constexpr std::array kTrapped = {
    __NR_sendto,  __NR_sendmsg, __NR_sendmmsg,  __NR_write,  __NR_connect,  __NR_accept4,
    __NR_openat,  __NR_open,    __NR_close,     __NR_unlink, __NR_unlinkat, __NR_ftruncate,
    __NR_mknodat, __NR_mknod,   __NR_fallocate, __NR_flock,  __NR_mkdir,    __NR_rename,
    __NR_mmap,    __NR_munmap,  __NR_shutdown,  __NR_listen, __NR_bind,     __NR_socket,
};

/// The one place where those are let pass.
[[gnu::noinline]] int64_t callAgain(const greg_t* registers) {
  int64_t result = registers[REG_RAX];
  register int64_t r10 asm("r10") = registers[REG_R10];
  register int64_t r8 asm("r8") = registers[REG_R8];
  register int64_t r9 asm("r9") = registers[REG_R9];
  asm volatile(
      "syscall\n"
      ".globl vbn_test_behind_syscall\n"
      "vbn_test_behind_syscall:\n"
      : "+a"(result)
      : "D"(registers[REG_RDI]), "S"(registers[REG_RSI]), "d"(registers[REG_RDX]), "r"(r10),
        "r"(r8), "r"(r9)
      : "rcx", "r11", "memory");
  return result;
}

void called(int, siginfo_t*, void* context) {
  greg_t* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (counts.load() && ++calls == haltsAt.load()) halt(haltsBy);
  registers[REG_RAX] = callAgain(registers);
}

}  // namespace

extern "C" const char vbn_test_behind_syscall;

bool canStep() {
  return true;
}

uint64_t stepThrough(const std::function<void()>& work,
                     const std::function<void(uint64_t)>& before) {
  visit = &before;
  steps = 0;
  handle(SIGTRAP, trapped);
  __builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() | kTrapFlag);
  work();
  __builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() & ~kTrapFlag);
  return steps;
}

bool trapCalls() {
  auto place = reinterpret_cast<uint64_t>(&vbn_test_behind_syscall);
  auto load = [](size_t offset) {
    return sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset));
  };
  auto unless = [](uint64_t value, size_t skipped) {
    return sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(value), 0,
                                static_cast<uint8_t>(skipped));
  };
  sock_filter pass = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  sock_filter trap = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
  constexpr size_t kPlace = offsetof(seccomp_data, instruction_pointer);
  std::vector<sock_filter> filter = {
      load(kPlace), unless(place & UINT32_MAX, 3),   load(kPlace + 4), unless(place >> 32, 1),
      pass,         load(offsetof(seccomp_data, nr))};
  for (long number : kTrapped) {
    filter.push_back(unless(static_cast<uint64_t>(number), 1));
    filter.push_back(trap);
  }
  filter.push_back(pass);
  sock_fprog program{static_cast<uint16_t>(filter.size()), filter.data()};
  handle(SIGSYS, called);
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

void haltAtCall(uint64_t number, int signal) {
  haltsBy = signal;
  calls = 0;
  haltsAt = number;
  counts = true;
}

uint64_t callsCounted() {
  counts = false;
  return calls;
}

#else

bool canStep() {
  return false;
}
uint64_t stepThrough(const std::function<void()>& work, const std::function<void(uint64_t)>&) {
  work();
  return 0;
}
bool trapCalls() {
  return false;
}
void haltAtCall(uint64_t, int) {}
uint64_t callsCounted() {
  return 0;
}

#endif

}  // namespace verbena::fifo::testing
