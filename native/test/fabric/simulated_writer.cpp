// SPDX-License-Identifier: Apache-2.0
#include "simulated_writer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

namespace verbena::fabric::testing {
namespace {

using softnic::testing::Line;

constexpr size_t kPage = 4096;
constexpr size_t kSlot = 2 * kPage;

// ------------------------------------------------------------------ stopping in the middle

std::atomic<std::byte*> trapped{nullptr};
std::atomic<bool> isDeadly{false};
/// Where traps are set. Who comes upon one that another thread springs or removes at this moment
/// tries again until it is open.
std::atomic<std::byte*> ground{nullptr};
std::atomic<size_t> groundBytes{0};

void spring(int, siginfo_t* info, void*) {
  auto* at = static_cast<std::byte*>(info->si_addr);
  if (at < ground || at >= ground + groundBytes) {
    signal(SIGSEGV, SIG_DFL);  // none of ours: it comes again, and ends the process
    return;
  }
  std::byte* page = trapped.exchange(nullptr);
  if (page == nullptr) return;
  kill(getpid(), isDeadly ? SIGKILL : SIGSTOP);
  mprotect(page, kPage, PROT_READ | PROT_WRITE);
}

void listenForTraps(std::span<std::byte> memory) {
  ground = memory.data();
  groundBytes = memory.size();
  struct sigaction action {};
  action.sa_sigaction = spring;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSEGV, &action, nullptr);
}

void setTrap(std::byte* page, Command::Trap trap) {
  isDeadly = trap == Command::Trap::die;
  trapped = page;
  mprotect(page, kPage, PROT_NONE);
}

/// Nobody came upon it.
void removeTrap() {
  if (std::byte* page = trapped.exchange(nullptr)) mprotect(page, kPage, PROT_READ | PROT_WRITE);
}

// ------------------------------------------------------------------ the process

class Writer {
 public:
  Writer(const Line& line, connect::NodeId id, bool mapping)
      : line_(line),
        node_(id, 100 * id + id, {}, mapping),
        local_(node_.region(kMostOpen * kSlot)) {
    listenForTraps(local_->bytes());
    host::Lender* lender = node_.worker().domain().lending().lender();
    line_.tell(Presence{lender == nullptr ? 0 : lender->name(), mapping});
  }

  bool obeys(const Command& command) {
    switch (command.what) {
      case Command::Link: link(command); break;
      case Command::Post: line_.tell(post(command)); break;
      case Command::Settle: settle(); break;
      case Command::Close: close(); break;
      case Command::Quit: return false;
    }
    return true;
  }

 private:
  void link(const Command& command) {
    link_ = command.link;
    connect::NewLink wanted{link_, command.key.owner, kOneSided, nullptr, command.key.incarnation};
    line_.tell(must(node_.worker().create(node_.memory(), wanted)));
    must(node_.worker().connect(link_, line_.hear<connect::LinkEnd>()));
    node_.worker().ready(link_);
    line_.tell(node_.way(link_).mapped);
  }

  /// The middle of an operation lies at the beginning of a page of its own.
  Posted post(const Command& command) {
    uint64_t half = isAtomic(command.operation) ? 0 : command.length / 16 * 8;
    removeTrap();  // one at a time
    // Of so many that are open each has another place.
    places_[command.cookie] = next_++ % kMostOpen * kSlot + kPage;
    uint64_t from = placeOf(command.cookie) - half;
    std::byte* memory = local_->bytes().data();
    for (uint64_t at = 0; at < command.length; at += 8) {
      std::memcpy(memory + from + at, &command.cookie, 8);
    }
    if (command.trap != Command::Trap::none) {
      setTrap(memory + placeOf(command.cookie), command.trap);
    }
    Request request{.operation = command.operation,
                    .local = local_.get(),
                    .localOffset = from,
                    .key = command.key,
                    .offset = command.offset,
                    .length = command.length,
                    .operand = 1,
                    .cookie = command.cookie};
    auto posted = node_.memory().post(link_, std::span(&request, 1));
    bool isTaken = posted && *posted == 1;
    if (isTaken) open_++;
    if (!isTaken) next_--;
    if (command.trap == Command::Trap::none || open_ == 0) removeTrap();
    if (!posted) return {posted.error().code, 0};
    return {0, *posted};
  }

  /// Until there is nothing open, or nothing more is told of because the link has failed.
  void settle() {
    std::vector<End> ends;
    for (auto last = std::chrono::steady_clock::now() + kPatience;
         open_ > 0 && std::chrono::steady_clock::now() < last;) {
      node_.worker().progress();
      poll(ends);
      if (!node_.failureOf(link_).empty()) break;
    }
    tell(ends);
  }
  void close() {
    std::vector<End> ends;
    removeTrap();
    node_.close(link_);
    poll(ends);
    EXPECT_EQ(open_, 0U) << "of a link that has ended everything is told of";
    tell(ends);
  }

  void poll(std::vector<End>& ends) {
    std::array<Done, kMostOpen> done;
    size_t count = node_.memory().poll(done);
    for (const Done& each : std::span(done).first(count)) {
      removeTrap();  // nobody works on it any more
      open_--;
      ends.push_back({each.cookie, each.outcome, {}});
      uint64_t half = isAtomic(each.operation) ? 0 : each.length / 16 * 8;
      std::memcpy(ends.back().words.data(), local_->bytes().data() + placeOf(each.cookie) - half,
                  std::min<uint64_t>(each.length, sizeof(End::words)));
    }
  }
  void tell(const std::vector<End>& ends) {
    line_.tell(Told{static_cast<uint32_t>(ends.size()), !node_.failureOf(link_).empty()});
    for (const End& each : ends) line_.tell(each);
  }

  uint64_t placeOf(uint64_t cookie) const { return places_.at(cookie); }

  const Line& line_;
  Node node_;
  std::shared_ptr<Region> local_;
  connect::LinkId link_ = 0;
  uint64_t open_ = 0;
  uint64_t next_ = 0;
  std::map<uint64_t, uint64_t> places_;  // by cookie
};

}  // namespace

void obey(const Line& line, connect::NodeId id, bool mapping) {
  Writer writer(line, id, mapping);
  while (writer.obeys(line.hear<Command>())) {
  }
}

}  // namespace verbena::fabric::testing
