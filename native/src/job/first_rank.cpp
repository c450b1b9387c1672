// SPDX-License-Identifier: Apache-2.0
#include "job/first_rank.h"

#include <signal.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/clock.h"
#include "job/bytes.h"
#include "job/contract.h"

namespace verbena::job {
namespace {

/// How long a stranger has to prove itself.
constexpr uint64_t kProvingNs = 10'000 * base::kNsPerMs;
/// A rank that has not heard its welcome has this long to come again. Its tries follow each other
/// within 250 ms, but one may last 30 s, and the name of this host may have to be looked up.
constexpr uint64_t kComesAgainNs = 60'000 * base::kNsPerMs;
/// Between two looks whether it is among those that are just being heard.
constexpr uint64_t kLookAgainNs = 20 * base::kNsPerMs;
/// How long nobody is let in when the process has no descriptor left.
constexpr uint64_t kPauseNs = 100 * base::kNsPerMs;
/// How many strangers there may be beside as many as the job has ranks.
constexpr size_t kMoreStrangers = 64;
/// How many are let in before those that are there are heard again.
constexpr int kMostAtOnce = 16;

}  // namespace

base::Result<std::unique_ptr<FirstRank>> FirstRank::listen(const Party& party, const HostPort& at) {
  auto listener = listenAt(at);
  if (!listener) return listener.error();
  std::unique_ptr<FirstRank> rank(new FirstRank(party, std::move(*listener)));
  if (auto started = rank->start(); !started) return started.error();
  return rank;
}

FirstRank::~FirstRank() {
  leave();
  announcements_.end({0, 0}, nullptr);
  for (auto& [rank, guest] : guests_) guest.stream.flush();
}

FirstRank::FirstRank(Party party, base::FileDescriptor listener)
    : NetworkedRank(std::move(party)),
      proofs_(this->party().key),
      listener_(std::move(listener)),
      port_(portOf(listener_)),
      announcements_(this->party().size),
      hasBeenHere_(this->party().size) {
  hasBeenHere_[0] = true;
}

void FirstRank::watch(Poll& poll) {
  removeWhoIsGone();
  if (base::monotonicNs() >= listensFromNs_) {
    poll.watch(listener_.get(), POLLIN, [this] { accept(); });
  } else {
    poll.until(listensFromNs_);
  }
  watchStrangers(poll);
  for (auto& [rank, guest] : guests_) {
    guest.stream.watch(poll, [this, rank = rank, &guest = guest] { takeFrames(rank, guest); });
    if (guest.awaitedUntilNs == 0) continue;
    poll.until(std::max(guest.awaitedUntilNs, base::monotonicNs() + kLookAgainNs));
  }
  if (leavesAtNs_ != UINT64_MAX) poll.until(leavesAtNs_);
}

void FirstRank::removeWhoIsGone() {
  uint64_t now = base::monotonicNs();
  std::erase_if(strangers_, [now](const Stranger& each) {
    bool isDone = each.state() == Stranger::State::Refused || each.fd() < 0;
    return isDone || now >= each.deadlineNs();
  });
  // Those that came while this process stood still have been heard since the last look.
  uint64_t heardUntil = strangers_.empty() ? std::exchange(lookedAtNs_, now) : 0;
  std::erase_if(guests_, [&](const auto& each) {
    const auto& [rank, guest] = each;
    if (guest.stream.isOpen() || heardUntil < guest.awaitedUntilNs) return false;
    announcements_.end({rank, SIGKILL}, nullptr);  // unless it has said goodbye
    return true;
  });
}

// ---- strangers

void FirstRank::accept() {
  for (int i = 0; i < kMostAtOnce; i++) {
    sockaddr_storage from{};
    socklen_t bytes = sizeof from;
    base::FileDescriptor socket(accept4(listener_.get(), reinterpret_cast<sockaddr*>(&from), &bytes,
                                        SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!socket && base::isExhausted(errno)) listensFromNs_ = base::monotonicNs() + kPauseNs;
    if (!socket) return;
    strangers_.emplace_back(std::move(socket), hostOf(from), base::monotonicNs() + kProvingNs);
    if (strangers_.size() > party().size + kMoreStrangers) leaveOneOut();
  }
}

/// Of those from the address that most come from, who has been here longest without a proof: so a
/// flood is in its own way, and a rank that meets it comes again.
void FirstRank::leaveOneOut() {
  std::map<std::string_view, size_t> counts;
  for (const Stranger& each : strangers_) counts[each.from()]++;
  auto most = std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; });
  strangers_.erase(std::ranges::find(strangers_, most->first, &Stranger::from));
}

void FirstRank::watchStrangers(Poll& poll) {
  for (Stranger& stranger : strangers_) {
    poll.until(stranger.deadlineNs());
    poll.watch(stranger.fd(), POLLIN, [this, fd = stranger.fd()] {
      auto found = std::find_if(strangers_.begin(), strangers_.end(),
                                [fd](const Stranger& each) { return each.fd() == fd; });
      if (found != strangers_.end()) hear(*found);
    });
  }
}

void FirstRank::hear(Stranger& stranger) {
  stranger.hear(proofs_);
  if (stranger.state() != Stranger::State::Proved) return;
  Verdict verdict = stranger.hello().heldAgainst(party());
  if (verdict == Verdict::welcome && isTaken(stranger.hello())) verdict = Verdict::taken;
  if (verdict != Verdict::welcome) return stranger.refuse(proofs_, verdict);
  welcome(stranger);
}

bool FirstRank::isTaken(const Hello& hello) const {
  if (!hasBeenHere_[hello.rank()]) return false;
  auto guest = guests_.find(hello.rank());
  bool comesAgain =
      guest != guests_.end() && !guest->second.isHeard && hello.isLaterThan(guest->second.hello);
  return !comesAgain;
}

void FirstRank::welcome(Stranger& stranger) {
  uint32_t rank = stranger.hello().rank();
  Answer answer = stranger.answer(proofs_, Verdict::welcome);
  auto stream = streamOver(stranger.takeSocket());
  if (!stream) return;  // who is not answered comes again
  hasBeenHere_[rank] = true;
  Guest& guest = guests_[rank];
  announcements_.remove(guest.stream);
  guest = {std::move(*stream), stranger.hello()};
  guest.stream.sendText({reinterpret_cast<const char*>(answer.bytes.data()), Answer::kBytes});
  guest.stream.seal(stranger.seal(proofs_));
  announcements_.add(guest.stream);
}

// ---- ranks

void FirstRank::publishNow(std::span<const std::byte> address) {
  announcements_.publish(0, address, nullptr);
}

void FirstRank::takeFrames(uint32_t rank, Guest& guest) {
  while (std::optional<Frame> frame = guest.stream.next()) {
    guest.isHeard = true;
    if (handle(rank, guest, *frame)) continue;
    guest.stream.close();
    break;
  }
  if (!guest.stream.isOpen()) takeLeaveOf(rank, guest);
}

void FirstRank::takeLeaveOf(uint32_t rank, Guest& guest) {
  announcements_.remove(guest.stream);
  uint64_t patienceNs = static_cast<uint64_t>(party().patience.count());
  if (guest.isHeard) return announcements_.end({rank, SIGKILL}, nullptr);
  guest.awaitedUntilNs = base::monotonicNs() + std::min(patienceNs, kComesAgainNs);
}

/// False for what no rank says.
bool FirstRank::handle(uint32_t rank, Guest& guest, const Frame& frame) {
  if (frame.rank != rank) return false;
  switch (frame.kind) {
    case FrameKind::published:
      if (frame.bytes.size() > kMostBytes) return false;
      announcements_.publish(rank, frame.bytes, &guest.stream);
      return true;
    case FrameKind::ended: announcements_.end({rank, 0}, &guest.stream); return true;
    case FrameKind::done: guest.knowsAll = true; return true;
    case FrameKind::alive: return true;
    case FrameKind::start:
    case FrameKind::input:
    case FrameKind::signal:
    case FrameKind::taken:
    case FrameKind::finish:
    case FrameKind::hello:
    case FrameKind::output:
    case FrameKind::failed:
    case FrameKind::inputTaken: return false;
  }
  return false;
}

// ---- the end

void FirstRank::beginToLeave() {
  leavesAtNs_ = base::monotonicNs() + static_cast<uint64_t>(party().patience.count());
}

/// Whether somebody still has something to do here: to come at all, or to learn of others.
bool FirstRank::anyIsMissing() const {
  const Table& known = announcements_.table();
  for (uint32_t rank = 1; rank < party().size; rank++) {
    if (!hasBeenHere_[rank]) return true;
    // Without the address of this rank nobody ever knows all.
    if (known.hasEnded(rank) || !known.hasPublished(0)) continue;
    auto guest = guests_.find(rank);
    if (guest == guests_.end() || !guest->second.knowsAll) return true;
  }
  return false;
}

bool FirstRank::hasLeft() const {
  return isAbandoned_ || !anyIsMissing() || base::monotonicNs() >= leavesAtNs_;
}

}  // namespace verbena::job
