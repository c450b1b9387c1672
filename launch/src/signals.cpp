// SPDX-License-Identifier: Apache-2.0
#include "signals.h"

#include <sys/signalfd.h>
#include <unistd.h>

namespace verbena::launch {
namespace {

bool isIgnored(int number) {
  struct sigaction action;
  return sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

Signals::Signals(std::initializer_list<int> numbers) {
  sigset_t taken;
  sigemptyset(&taken);
  for (int number : numbers) {
    if (number == SIGCHLD) signal(SIGCHLD, SIG_DFL);  // ignored, nobody would hear of the ends
    if (!isIgnored(number)) sigaddset(&taken, number);
  }
  sigprocmask(SIG_BLOCK, &taken, &before_);
  fd_ = base::FileDescriptor(signalfd(-1, &taken, SFD_NONBLOCK | SFD_CLOEXEC));
}

std::optional<int> Signals::take() const {
  signalfd_siginfo taken;
  if (read(fd_.get(), &taken, sizeof taken) != sizeof taken) return std::nullopt;
  return static_cast<int>(taken.ssi_signo);
}

}  // namespace verbena::launch
