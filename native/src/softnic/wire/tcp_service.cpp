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
constexpr std::chrono::milliseconds kRestAfterFailure{10};

bool comesFromWhereItSays(const base::FileDescriptor& socket, const Hello& hello) {
  sockaddr_in6 from{};
  socklen_t length = sizeof from;
  if (hello.magic != kHelloMagic || hello.slot >= kSlots) return false;
  if (getpeername(socket.get(), reinterpret_cast<sockaddr*>(&from), &length) != 0) return false;
  return std::memcmp(&from.sin6_addr, hello.gid.raw, sizeof hello.gid.raw) == 0;
}

}  // namespace

TcpService::TcpService(Context& context, TcpPlace place, base::FileDescriptor listener)
    : context_(context),
      place_(place),
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
  std::vector<pollfd> fds = watched();
  int limitMs = waitLimitMs();
  // A port that is down takes nothing off its sockets: do not spin on them.
  nfds_t count = context_.portUp ? fds.size() : 2;
  guard.unlock();
  poll(fds.data(), count, limitMs);
  uint64_t rung;
  [[maybe_unused]] ssize_t got = read(bell_.get(), &rung, sizeof rung);
  guard.lock();
  context_.failIfDue();  // another thread may have left something half done meanwhile
  uint64_t now = base::monotonicNs();
  forEachLiving([now](TcpLink& link) {
    link.checkPeer(now);
    link.publish();
  });
  hearGuests();  // now that it is known whose place is free
  acceptGuests();
  context_.progress();
}

/// -1: until a socket says something.
int TcpService::waitLimitMs() const {
  if (!context_.portUp) return 1;
  if (context_.hasArrivals()) return 0;  // what is left of this turn no socket tells
  bool limited = listenerRests_;
  for (const Guest& guest : guests_) limited |= guest.introduced();
  forEachLiving([&](const TcpLink& link) { limited |= link.state == LinkState::Ending; });
  return limited ? kNextLookMs : -1;
}

std::vector<pollfd> TcpService::watched() const {
  int listener = listenerRests_ ? -1 : listener_.get();  // poll() passes over -1
  std::vector<pollfd> fds = {{bell_.get(), POLLIN, 0}, {listener, POLLIN, 0}};
  for (const Guest& guest : guests_) {
    short expected = guest.introduced() ? POLLRDHUP : POLLIN;
    fds.push_back({guest.socket.get(), expected, 0});
  }
  forEachLiving([&](const TcpLink& link) {
    short out = link.outputWaits() ? POLLOUT : 0;
    if (link.canSend()) {
      fds.push_back({link.outboundFd(), static_cast<short>(out | POLLRDHUP), 0});
    }
    if (link.awaitsInput()) fds.push_back({link.inboundFd(), POLLIN, 0});
  });
  return fds;
}

/// As many as there is room for. The others are still in the queue at the next pass, which hears
/// these first: mostly they have said who they are by then. Where nobody has left, one has to go.
void TcpService::acceptGuests() {
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
    guests_.push_back({std::move(socket), {}, 0});
  }
}

/// The longest there of those who say nothing; where all have spoken, of all.
void TcpService::sendOneAway() {
  auto silent = std::find_if(guests_.begin(), guests_.end(),
                             [](const Guest& guest) { return !guest.introduced(); });
  guests_.erase(silent == guests_.end() ? guests_.begin() : silent);
}

void TcpService::hearGuests() {
  std::erase_if(guests_, [this](Guest& guest) { return !hearGuest(guest); });
}

/// False when it is a guest no more.
bool TcpService::hearGuest(Guest& guest) {
  if (guest.introduced()) return !hungUp(guest.socket) && !seat(guest);
  auto* into = reinterpret_cast<std::byte*>(&guest.hello) + guest.got;
  ssize_t got = recv(guest.socket.get(), into, sizeof(Hello) - guest.got, MSG_DONTWAIT);
  if (got < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
  if (got == 0) return false;
  guest.got += static_cast<size_t>(got);
  if (!guest.introduced()) return true;
  return comesFromWhereItSays(guest.socket, guest.hello) && !seat(guest);
}

/// Gives a connection to the link it belongs to, or refuses it. False if it has to wait.
bool TcpService::seat(Guest& guest) {
  const Hello& hello = guest.hello;
  std::shared_ptr<TcpLink> link = find(hello.gid, hello.slot);
  if (link != nullptr && link->accepted()) {
    // The port in that slot has begun a new life, or somebody else at its address says so. A claim
    // alone throws nobody out. The end of the old life shows in its connections, which its system
    // closes, or which break some seconds after its host was lost; until then the newcomer waits.
    link->checkPeer(base::monotonicNs());
    if (link->canSend()) return false;
    link = nullptr;
  }
  if (link == nullptr && mayHaveAnother(hello.gid)) link = linkTo(hello.gid, hello.slot);
  if (link != nullptr) link->accept(std::move(guest.socket), hello.incarnation);
  return true;
}

bool TcpService::mayHaveAnother(const ibv_gid& gid) const {
  size_t count = 0;
  forEachLiving([&](const TcpLink& link) {
    if (!link.canSend()) return;  // it ends, and soon
    count += std::memcmp(&link.peerGid, &gid, sizeof gid) == 0 ? 1U : 0U;
  });
  return count < kMaxLinksPerAddress;
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
    // The port may have begun a new life that nobody has noticed yet.
    found->checkPeer(base::monotonicNs());
    if (found->canSend()) return found;
  }
  context_.links.reap();
  Hello own{kHelloMagic, context_.port().incarnation, context_.port().slot, 0, place_.gid()};
  std::shared_ptr<TcpLink> link = TcpLink::dial(own, gid, slot, place_.basePort);
  if (link == nullptr) return nullptr;
  context_.links.add(link);
  wake();
  return link;
}

}  // namespace verbena::softnic
