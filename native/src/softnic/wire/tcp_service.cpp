// SPDX-License-Identifier: Apache-2.0
#include "softnic/wire/tcp_service.h"

#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <mutex>

#include "base/background.h"
#include "base/clock.h"
#include "softnic/device/context.h"

namespace verbena::softnic {
namespace {

/// How long it takes until it looks again at what no socket tells: whether there is something to
/// accept with again; whether the place that a guest waits for is free, which other threads may
/// have found out; whether the time of a link that ends is over.
constexpr int kNextLookMs = 100;
/// How soon it sees that the port is up again, or the application has ended its polling.
constexpr int kTickMs = 1;
constexpr std::chrono::milliseconds kRestAfterFailure{10};

/// A handshake takes two round trips: who needs longer than this never ends it.
constexpr uint64_t kGuestNs = 10'000'000'000;

bool resumes(const Hello& hello) {
  return (hello.flags & kResumes) != 0;
}

/// Whether the link leads to another life of the port that has said hello, or to a ring that this
/// life has given up.
bool isOver(const TcpLink& link, const Hello& hello) {
  bool otherLife = link.incarnation() != 0 && link.incarnation() != hello.from.incarnation;
  return otherLife || (!resumes(hello) && link.received() != 0);
}

}  // namespace

TcpService::TcpService(Context& context, const TcpPlace& place, std::span<const std::byte> key,
                       base::FileDescriptor listener)
    : context_(context),
      terms_{.self = {context.port().incarnation, context.port().slot, 0, place.gid()},
             .basePort = place.basePort,
             .proofs = Proofs(key)},
      listener_(std::move(listener)),
      bell_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

bool TcpService::start() {
  return bell_ && base::startInBackground(thread_, [this] { serve(); });
}

void TcpService::stop() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard guard(context_.lock);
    stopping_ = true;
    wake();
  }
  thread_.join();
}

void TcpService::wake() {
  uint64_t one = 1;
  [[maybe_unused]] ssize_t written = write(bell_.get(), &one, sizeof one);
}

template <typename Use>
void TcpService::forEachLiving(Use use) const {
  for (const std::shared_ptr<Link>& link : context_.links) {
    auto* tcp = dynamic_cast<TcpLink*>(link.get());
    if (tcp != nullptr && tcp->state != LinkState::Dead) use(*tcp);
  }
}

void TcpService::serve() {
  pthread_setname_np(pthread_self(), "softnic-tcp");
  std::unique_lock guard(context_.lock);
  while (!stopping_) {
    bool whole = context_.attempt([&] { pass(guard); });
    context_.makeCopies(guard);
    if (whole) continue;
    // What could not be done would be tried again at once, the sockets being as they were.
    guard.unlock();
    std::this_thread::sleep_for(kRestAfterFailure);
    guard.lock();
  }
}

/// Waits until there is something to do, and does it.
void TcpService::pass(std::unique_lock<host::Lock>& guard) {
  standsBy_ = context_.service.isPolled(pollsSeen_);
  std::vector<pollfd> fds = watched();
  int limitMs = waitLimitMs();
  // A port that is down takes nothing off its sockets: do not spin on them.
  nfds_t count = context_.portUp ? fds.size() : 2;
  guard.unlock();
  poll(fds.data(), count, limitMs);
  if (fds[0].revents != 0) silenceBell();
  guard.lock();
  context_.failIfDue();  // another thread may have left something half done meanwhile
  uint64_t now = base::monotonicNs();
  forEachLiving([now](TcpLink& link) {
    link.attend(now);
    link.publish();
  });
  hearGuests(now);  // now that it is known whose place is free
  if (fds[1].revents != 0 || listenerRests_) acceptGuests(now);
  context_.progress();
}

void TcpService::silenceBell() {
  uint64_t rung;
  [[maybe_unused]] ssize_t got = read(bell_.get(), &rung, sizeof rung);
}

/// -1: until a socket says something.
int TcpService::waitLimitMs() const {
  if (!context_.portUp || standsBy_) return kTickMs;
  if (context_.hasArrivals()) return 0;  // what is left of this turn no socket tells
  bool limited = listenerRests_ || !guests_.empty();
  forEachLiving([&](const TcpLink& link) { limited |= link.isRestless(); });
  return limited ? kNextLookMs : -1;
}

std::vector<pollfd> TcpService::watched() const {
  int listener = listenerRests_ ? -1 : listener_.get();  // poll() passes over -1
  std::vector<pollfd> fds = {{bell_.get(), POLLIN, 0}, {listener, POLLIN, 0}};
  for (const Guest& guest : guests_) {
    bool waits = guest.handshake.state() == Accepting::State::Proven;
    short expected = waits ? POLLRDHUP : POLLIN;
    fds.push_back({guest.socket.get(), expected, 0});
  }
  forEachLiving([&](const TcpLink& link) {
    if (link.canSend()) fds.push_back({link.outbound().fd(), link.outbound().expected(), 0});
    if (!standsBy_ && link.awaitsInput()) fds.push_back({link.inboundFd(), POLLIN, 0});
  });
  return fds;
}

/// As many as there is room for. The others are still in the queue at the next pass, which hears
/// these first: mostly they have said who they are by then. Where nobody has left, one has to go.
void TcpService::acceptGuests(uint64_t now) {
  listenerRests_ = false;
  for (size_t room = std::max<size_t>(kMaxGuests - guests_.size(), 1); room > 0; room--) {
    base::FileDescriptor socket(
        accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!socket) {
      // The connection stays in the queue and the listener readable: not to spin on it.
      listenerRests_ = base::isExhausted(errno);
      return;
    }
    if (guests_.size() == kMaxGuests) sendOneAway();
    guests_.push_back({std::move(socket), Accepting(terms_.proofs, terms_.self), now});
  }
}

/// The longest there of those who have said least.
void TcpService::sendOneAway() {
  auto least = std::min_element(guests_.begin(), guests_.end(), [](const Guest& a, const Guest& b) {
    return a.handshake.state() < b.handshake.state();
  });
  guests_.erase(least);
}

void TcpService::hearGuests(uint64_t now) {
  std::erase_if(guests_, [&](Guest& guest) { return !hearGuest(guest, now); });
}

/// False when it is a guest no more.
bool TcpService::hearGuest(Guest& guest, uint64_t now) {
  switch (guest.handshake.advance(guest.socket)) {
    case Accepting::State::Silent:
    case Accepting::State::Proving: return now - guest.sinceNs < kGuestNs;
    case Accepting::State::Proven:
      // Who waits for a former link's end comes again.
      return !hungUp(guest.socket) && !seat(guest, now) && now - guest.sinceNs < kGuestNs;
    case Accepting::State::Refused:
      terms_.counts.refusedKeys++;
      turnAway(guest, Verdict::OtherKey);
      return false;
    case Accepting::State::Dismissed: return false;
  }
  return false;
}

/// Gives a connection to the link it belongs to, or refuses it. False if it has to wait.
bool TcpService::seat(Guest& guest, uint64_t now) {
  const Hello& hello = guest.handshake.hello();
  std::shared_ptr<TcpLink> link = find(hello.from.gid, hello.from.slot);
  if (link != nullptr) link->attend(now);
  if (link != nullptr && link->canSend() && isOver(*link, hello)) {
    // Who has the cluster's key is believed. A claim alone throws nobody out: the end of the link
    // shows in its connections, which cannot be made again, and until then the newcomer waits.
    if (!terms_.proofs.hasKey()) return false;
    link->peerLeft();
  }
  bool goesOn = link != nullptr && link->canSend();
  uint64_t wanted = hello.to.incarnation;
  bool otherLife = wanted != 0 && wanted != terms_.self.incarnation;
  if (otherLife || (resumes(hello) && !(goesOn && link->accepted()))) {
    return turnAway(guest, Verdict::Gone);
  }
  if (!goesOn) return seatAtNewLink(guest);
  bool taken = link->accepted() && !link->inboundIsCut();
  if (taken && !terms_.proofs.hasKey()) return false;
  return take(guest, *link);
}

bool TcpService::seatAtNewLink(Guest& guest) {
  const Identity& from = guest.handshake.hello().from;
  Room room = roomFor(from.gid);
  if (room == Room::PerhapsSoon) return false;
  std::shared_ptr<TcpLink> link = room == Room::Free ? dial(from.gid, from.slot) : nullptr;
  return link == nullptr ? turnAway(guest, Verdict::NoRoom) : take(guest, *link);
}

bool TcpService::take(Guest& guest, TcpLink& link) {
  if (guest.handshake.answer(guest.socket, Verdict::Accepted, link.received())) {
    link.accept(std::move(guest.socket), guest.handshake.hello().from.incarnation);
  }
  return true;
}

bool TcpService::turnAway(Guest& guest, Verdict why) {
  guest.handshake.answer(guest.socket, why, 0);
  return true;
}

TcpService::Room TcpService::roomFor(const ibv_gid& gid) const {
  std::vector<const TcpLink*> counted;  // those that end do so soon
  forEachLiving([&](const TcpLink& link) {
    bool counts = link.canSend() && std::memcmp(&link.peerGid, &gid, sizeof gid) == 0;
    if (counts) counted.push_back(&link);
  });
  if (counted.size() < kMaxLinksPerAddress) return Room::Free;
  bool someMayEnd = std::any_of(counted.begin(), counted.end(), [](const TcpLink* link) {
    return link->isInDoubt() || (link->accepted() && link->inboundIsCut());
  });
  return someMayEnd ? Room::PerhapsSoon : Room::None;
}

std::shared_ptr<TcpLink> TcpService::find(const ibv_gid& gid, uint32_t slot) const {
  for (const std::shared_ptr<Link>& link : context_.links) {
    auto* tcp = dynamic_cast<TcpLink*>(link.get());
    if (tcp == nullptr || !tcp->canSend() || tcp->slot() != slot) continue;
    if (std::memcmp(&tcp->peerGid, &gid, sizeof gid) != 0) continue;
    return std::static_pointer_cast<TcpLink>(link);
  }
  return nullptr;
}

std::shared_ptr<TcpLink> TcpService::linkTo(const ibv_gid& gid, uint32_t slot) {
  if (auto found = find(gid, slot)) {
    // The port may have begun a new life that nobody has noticed yet, and whoever connects now
    // means that one: a link of which nobody knows whether it goes on is given up for it.
    found->outbound().hear();
    if (found->isInDoubt()) found->peerLeft();
    if (found->canSend()) return found;
  }
  return dial(gid, slot);
}

std::shared_ptr<TcpLink> TcpService::dial(const ibv_gid& gid, uint32_t slot) {
  context_.links.reap();
  std::shared_ptr<TcpLink> link = TcpLink::dial(terms_, gid, slot);
  if (link == nullptr) return nullptr;
  context_.links.add(link);
  wake();
  return link;
}

}  // namespace verbena::softnic
