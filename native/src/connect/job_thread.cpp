// SPDX-License-Identifier: Apache-2.0
#include "connect/job_thread.h"

#include <poll.h>
#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <system_error>
#include <utility>

#include "base/background.h"
#include "base/survive.h"

namespace verbena::connect {
namespace {

constexpr size_t kPacketsAtOnce = 4096;

Time clockNow() {
  return std::chrono::steady_clock::now().time_since_epoch();
}

timespec toTimespec(Time duration) {
  auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration);
  return {static_cast<time_t>(seconds.count()), static_cast<long>((duration - seconds).count())};
}

}  // namespace

base::Result<std::unique_ptr<JobThread>> JobThread::open(const ManagerOptions& options,
                                                         LinkOwner& owner, Observer& observer,
                                                         const Resolver::LookUp& lookUp) {
  base::Result<std::unique_ptr<UdpSocket>> socket = UdpSocket::open(options.listen);
  if (!socket) return socket.error();
  std::unique_ptr<JobThread> made(
      new JobThread(options, std::move(*socket), owner, observer, lookUp));
  if (made->wakeUp_.fd() < 0) return base::Error{"open an eventfd", "", errno, ""};
  return made;
}

base::Result<void> JobThread::start() {
  base::Result<void> destroys = destroyer_.start();
  if (!destroys) return destroys;
  if (base::startInBackground(thread_, [this] { run(); })) return {};
  return base::Error{"start the job thread", "", errno, ""};
}

JobThread::JobThread(const ManagerOptions& options, std::unique_ptr<UdpSocket> socket,
                     LinkOwner& owner, Observer& observer, const Resolver::LookUp& lookUp)
    : owner_(owner),
      observer_(observer),
      socket_(std::move(socket)),
      probes_(options.discovery.count() > 0),
      exchange_(options, *this, owner, *this, counts_),
      resolver_(
          socket_->families(),
          [this](NodeId peer, const HostAndPort& name, Resolver::Answer answer) {
            found(peer, name, std::move(answer));
          },
          lookUp),
      destroyer_(owner) {}

JobThread::~JobThread() {
  if (thread_.joinable()) {
    shutDown();
    thread_.join();
  }
  std::string reason;
  base::survive([&] { reason = "this node closes"; });
  callers_.close(reason);  // whose dial came behind the thread's last look
  std::unique_lock held(lock_);
  jobs_.clear();  // likewise: who asks hears of it
  asked_.wait(held, [this] { return asking_ == 0; });
}

void JobThread::shutDown() {
  // Relaxed: it says nothing about other memory.
  shutDownWanted_.store(true, std::memory_order_relaxed);
  wakeUp_.ring();
}

void JobThread::beginShutDown() {
  shuttingDown_ = true;
  exchange_.shutDown(clockNow());
}

void JobThread::post(Job job) {
  std::lock_guard held(lock_);
  bool first = jobs_.empty();
  jobs_.push_back(std::move(job));
  // For all that come until they are taken. Under the lock: once this job or end is taken, the
  // thread may end and this object with it.
  if (first) wakeUp_.ring();
}

void JobThread::run() {
  while (!shuttingDown_ || !exchange_.idle()) {
    waitForWork();
    // Jobs are taken, then packets, then jobs are done: a peer says goodbye before it takes its
    // end away, so the reason is here when a job tells that this side's end has failed.
    std::vector<Job> jobs = takeJobs();
    base::survive([this] { takePackets(); });
    for (Job& job : jobs) base::survive([&] { job(clockNow()); });
    takeEnds(failed_, &JobThread::endFailed);
    takeEnds(closed_, &JobThread::endClosed);
    bool wanted = shutDownWanted_.load(std::memory_order_relaxed);
    if (wanted && !shuttingDown_) base::survive([this] { beginShutDown(); });
    base::survive([this] { reportBounced(); });
    base::survive([this] { exchange_.advance(clockNow()); });
    base::survive([this] { lookAt_ = owner_.watch(clockNow()); });
    base::survive([this] { reportBounced(); });
  }
  ended_.store(true, std::memory_order_release);  // pairs with isShutDown(): it is all told
}

/// Two descriptors and a deadline in nanoseconds: poll is enough.
void JobThread::waitForWork() {
  std::array<pollfd, 2> waited{pollfd{wakeUp_.fd(), POLLIN, 0}, pollfd{socket_->fd(), POLLIN, 0}};
  Time next = std::min(exchange_.nextTimer().value_or(LinkOwner::kNoHurry), lookAt_);
  timespec left{};
  if (next != LinkOwner::kNoHurry) left = toTimespec(std::max(Time{0}, next - clockNow()));
  ppoll(waited.data(), waited.size(), next != LinkOwner::kNoHurry ? &left : nullptr, nullptr);
}

std::vector<JobThread::Job> JobThread::takeJobs() {
  wakeUp_.silence();
  std::lock_guard held(lock_);
  return std::exchange(jobs_, {});
}

/// Before the timers: what waits in the socket may be the sign of life that one of them misses.
void JobThread::takePackets() {
  socket_->receive(kPacketsAtOnce, [this](const Address& from, std::span<const std::byte> bytes) {
    exchange_.receive(clockNow(), from, bytes);
  });
  socket_->receiveErrors([this](const Address& to, int code) { bounced_.emplace_back(to, code); });
}

void JobThread::reportBounced() {
  std::vector<std::pair<Address, int>> bounced;
  bounced.swap(bounced_);
  for (auto& [to, code] : bounced) exchange_.unreachable(clockNow(), to, code);
}

bool JobThread::isReachable(NodeId peer) const {
  // Relaxed: it says nothing about other memory.
  return peer <= kMostGiven &&
         (reachable_[peer / 64].load(std::memory_order_relaxed) >> peer % 64 & 1) != 0;
}

void JobThread::addPeer(NodeId peer, const std::string& address) {
  post([this, peer, address](Time now) { addPeerJob(now, peer, address); });
}

void JobThread::addPeerJob(Time now, NodeId peer, const std::string& text) {
  names_.erase(peer);
  unreadable_.erase(peer);
  std::optional<HostAndPort> parts = HostAndPort::parse(text);
  std::optional<Address> numeric = Address::parse(text);
  if (numeric) {
    exchange_.addPeer(now, peer, {*numeric});
  } else if (parts) {
    names_[peer] = *parts;
    if (probes_) lookUp(now, peer);  // else a dial is the first that wants to know
  } else {
    unreadable_[peer] = "'" + text + "' " + HostAndPort::fault(text);
    exchange_.addPeer(now, peer, {});
  }
}

void JobThread::lookUp(Time now, NodeId peer) {
  auto name = names_.find(peer);
  if (name == names_.end()) return;
  if (resolver_.ask(peer, name->second)) exchange_.lookUpBegins(now, peer);
}

void JobThread::found(NodeId peer, const HostAndPort& name, Resolver::Answer answer) {
  post([this, peer, name, answer = std::move(answer)](Time now) {
    auto wanted = names_.find(peer);
    if (wanted == names_.end() || !(wanted->second == name)) return;  // removed, or another now
    if (answer.addresses.empty()) {
      exchange_.lookUpFailed(now, peer, answer.error);
    } else {
      exchange_.addPeer(now, peer, answer.addresses);
    }
  });
}

void JobThread::removePeer(NodeId peer, const std::string& reason) {
  post([this, peer, reason](Time now) {
    names_.erase(peer);
    unreadable_.erase(peer);
    exchange_.removePeer(now, peer, reason);
  });
}

void JobThread::dial(NodeId peer, LinkName name, Time timeout) {
  post([this, peer, name, timeout](Time now) { dialJob(now, peer, name, timeout); });
}

void JobThread::dialJob(Time now, NodeId peer, LinkName name, Time timeout) {
  LinkId live = directory_.find(peer, name);
  if (live != 0) return callers_.decide(peer, name, {live, ""});
  auto unreadable = unreadable_.find(peer);
  if (unreadable != unreadable_.end()) {
    return dialFailed(peer, name, Refusal::local, unreadable->second);
  }
  lookUp(now, peer);  // a name may have come to mean another address
  exchange_.dial(now, peer, name, timeout);
}

base::Result<NodeId> JobThread::addPeerAt(const std::string& address, Time timeout) {
  Asker asker(*this);
  base::Result<Found> found = ask(address, timeout);
  if (!found) return found.error();
  post([this, node = *found](Time now) {
    names_.erase(node.node);
    unreadable_.erase(node.node);
    exchange_.found(now, node);
  });
  return found->node;
}

JobThread::Asker::Asker(JobThread& thread) : thread_(thread) {
  std::lock_guard held(thread_.lock_);
  thread_.asking_++;
}

JobThread::Asker::~Asker() {
  std::lock_guard held(thread_.lock_);
  if (--thread_.asking_ == 0) thread_.asked_.notify_all();
}

base::Result<Found> JobThread::ask(const std::string& address, Time timeout) {
  base::Result<std::vector<Address>> at = resolver_.resolve(address);
  if (!at) return at.error();
  // Shared: a job that is never done breaks the promise.
  auto answer = std::make_shared<std::promise<base::Result<Found>>>();
  std::future<base::Result<Found>> awaited = answer->get_future();
  post([this, addresses = std::move(*at), timeout, answer = std::move(answer)](Time now) {
    exchange_.ask(now, addresses, timeout,
                  [answer](base::Result<Found> found) { answer->set_value(std::move(found)); });
  });
  try {
    return awaited.get();
  } catch (const std::future_error&) {  // of a job that was not done
    return base::Error{"find the node at " + address, "", ECANCELED, "this node closes"};
  }
}

void JobThread::close(LinkId id, const std::string& reason) {
  post([this, id, reason](Time now) { exchange_.close(now, id, reason); });
}

void JobThread::failed(LinkId id, const std::string& reason) {
  try {
    close(id, reason);
  } catch (const std::bad_alloc&) {
    note(failed_, id);
  }
}

void JobThread::endFailed(LinkId id) {
  exchange_.close(clockNow(), id, "no memory");
}

void JobThread::closed(LinkId id) {
  note(closed_, id);
}

void JobThread::endClosed(LinkId id) {
  exchange_.closed(clockNow(), id);
}

void JobThread::expectEnds(size_t links) {
  std::lock_guard held(lock_);
  failed_.reserve(failed_.size() + links);
  closed_.reserve(closed_.size() + links);
  destroyer_.expect(links);
}

void JobThread::note(std::vector<LinkId>& ends, LinkId id) {
  std::lock_guard held(lock_);
  // A link may be said to fail by its device and by whoever uses it. There is room for it once.
  if (std::ranges::find(ends, id) != ends.end()) return;
  ends.push_back(id);  // expectEnds() has made room
  wakeUp_.ring();      // under the lock, as in post()
}

void JobThread::takeEnds(std::vector<LinkId>& ends, void (JobThread::*end)(LinkId)) {
  while (true) {
    LinkId id;
    {
      std::lock_guard held(lock_);
      if (ends.empty()) return;
      id = ends.front();
      ends.erase(ends.begin());
    }
    base::survive([&] { (this->*end)(id); });
  }
}

void JobThread::send(const Address& to, const Datagram& packet) {
  int code = socket_->send(to, packet);
  if (code != 0) bounced_.emplace_back(to, code);
}

void JobThread::fillRandom(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    ssize_t got = getrandom(bytes.data(), bytes.size(), 0);
    if (got < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category());
    if (got > 0) bytes = bytes.subspan(static_cast<size_t>(got));
  }
}

void JobThread::up(const LinkUp& link) {
  observer_.up(link);
  // Afterwards: who finds it may rely on what the observer did.
  directory_.add(link.peer, link.name, link.id);
  callers_.decide(link.peer, link.name, {link.id, ""});
}

void JobThread::down(LinkId id, NodeId peer, LinkName name, const std::string& reason) {
  directory_.remove(peer, name);
  observer_.down(id, peer, name, reason);
}

void JobThread::notUp(LinkId id, LinkName name, const std::string& reason) {
  observer_.notUp(id, name, reason);
}

void JobThread::gone(LinkId id, NodeId peer) {
  observer_.gone(id, peer);
}

void JobThread::dialFailed(NodeId peer, LinkName name, Refusal why, const std::string& reason) {
  observer_.dialFailed(peer, name, why, reason);
  // The far side has no place for it, now.
  int code = why == Refusal::closing ? ECONNREFUSED : 0;
  callers_.decide(peer, name, {0, reason, code});
}

void JobThread::reachable(NodeId peer, bool answers) {
  if (peer > kMostGiven) return;
  uint64_t bit = uint64_t{1} << peer % 64;
  if (answers) {
    reachable_[peer / 64].fetch_or(bit, std::memory_order_relaxed);  // as in isReachable()
  } else {
    reachable_[peer / 64].fetch_and(~bit, std::memory_order_relaxed);
  }
}

}  // namespace verbena::connect
