// SPDX-License-Identifier: Apache-2.0
#include "softnic/device/context.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "base/clock.h"
#include "host/futex.h"
#include "softnic/device/data_path.h"
#include "softnic/memory/no_memory.h"
#include "softnic/transport/answers.h"
#include "softnic/transport/faulty.h"
#include "softnic/transport/long_copy.h"
#include "softnic/transport/requester.h"
#include "softnic/transport/responder.h"
#include "softnic/transport/retries.h"

namespace verbena::softnic {
namespace {

/// Packets taken from one link before the others get their turn.
constexpr int kPacketsPerTurn = 64;
/// Room of packets larger than this is given back one by one, so that a writer that waits for it
/// goes on while we still copy the next.
constexpr uint32_t kLargePacketBytes = 4096;

/// Takes the pages of a table entry, and shows peers that it may be read.
bool backQp(host::SharedFile& portFile, uint32_t index) {
  auto* port = portFile.as<PortMemory>();
  if (index < port->qpsUsed.load(std::memory_order_relaxed)) return true;
  uint32_t used = port->qpsUsed.load(std::memory_order_relaxed);
  size_t offset = offsetof(PortMemory, qps) + used * sizeof(PublishedQp);
  if (!portFile.back(offset, (index + 1 - used) * sizeof(PublishedQp))) return false;
  port->qpsUsed.store(index + 1, std::memory_order_release);  // pairs with DirectWindow::access()
  return true;
}

/// The script of the environment. One that cannot be read is an error: a test that believes in
/// faults which never come would be green for nothing.
bool readFaults(Context& context) {
  const char* text = std::getenv("VERBENA_SOFTNIC_FAULTS");
  if (text == nullptr || *text == 0) return true;
  std::string error;
  if (setFaults(&context, text, error)) return true;
  std::fprintf(stderr, "VERBENA_SOFTNIC_FAULTS: %s\n", error.c_str());
  errno = EINVAL;
  return false;
}

/// The environment is for tools that have no configuration.
std::string listensAt(const verbs::Wiring& wiring) {
  if (!wiring.listen.empty()) return wiring.listen;
  const char* text = std::getenv("VERBENA_SOFTNIC_TCP");
  return text == nullptr ? "" : text;
}

}  // namespace

void withdrawEvents(EventQueue<ibv_async_event>& events, const void* object) {
  events.withdraw([object](const ibv_async_event& event) {
    // The element is a union of pointers, but for a port's number, which is no object's address.
    return static_cast<const void*>(event.element.qp) == object;
  });
}

Context* Context::open(ibv_device* device, const verbs::Wiring& wiring) {
  std::optional<Atomics> atomics = chosenAtomics();
  if (!atomics) {
    errno = EINVAL;
    return nullptr;
  }
  auto ports = std::make_unique<Ports>(wiring, *atomics);
  Ports& all = *ports;
  std::unique_ptr<Context> context(new Context(std::move(ports), all));
  all.begin(*context);
  std::optional<Folder> found = Folder::open();
  if (!found || !all.asyncEvents.open()) return nullptr;
  context->folder = std::make_unique<Folder>(*found);
  bool begun = context->takePort(device) && readFaults(*context) && context->begin();
  return begun ? context.release() : nullptr;
}

Context* Context::openBeside(Ports& ports) {
  return orNoMemory<Context*>(nullptr, [&]() -> Context* {
    std::unique_ptr<Context> context(new Context(nullptr, ports));
    context->folder = std::make_unique<Folder>(*ports.first().folder);
    bool begun = context->takePort(ports.first().device) && context->copyFaults() &&
                 context->begin() && context->copyRegions();
    return begun ? context.release() : nullptr;
  });
}

/// Peers find it from here on.
bool Context::begin() {
  if (!service.start() || (tcp != nullptr && !tcp->start())) return false;
  // Before regions are shown: whoever takes pages of one back comes by here.
  host::SegmentTable::ofProcess().join(*this);
  // release pairs with the acquire in Folder::openPort(): peers find everything in place
  port().open.store(1, std::memory_order_release);
  return true;
}

/// Those that are revoked no peer may use any more.
bool Context::copyRegions() {
  std::vector<MemoryRegion> known;
  {
    std::lock_guard guard(ports.first().lock);
    ports.first().regions.forEach([&](const MemoryRegion& region) {
      if (region.lkey != 0) known.push_back(region);
    });
  }
  std::lock_guard guard(lock);
  for (const MemoryRegion& region : known) {
    if (!regions.addAs(region, segments, portFile)) return false;
  }
  return true;
}

bool Context::copyFaults() {
  std::lock_guard guard(ports.first().lock);
  const FaultScript* script = ports.first().faults.get();
  if (script != nullptr) faults = std::make_unique<FaultScript>(*script);
  return true;
}

bool Context::takePort(ibv_device* listed) {
  if (!takeSlot()) return false;
  device = listed;
  ops.poll_cq = pollCq;
  ops.req_notify_cq = armCq;
  ops.post_srq_recv = postSharedReceive;
  ops.post_send = postSend;
  ops.post_recv = postReceive;
  cmd_fd = -1;
  async_fd = asyncEvents.fd();
  num_comp_vectors = kCompletionVectors;
  pthread_mutex_init(&mutex, nullptr);
  PortMemory& shown = port();
  shown.gids[0] = folder->gid();
  shown.gidCount = 1;
  if (tcp != nullptr) shown.gids[shown.gidCount++] = tcp->gid();
  shown.magic = kPortMagic;
  return true;
}

/// Ports look at each other: no thread of any runs when the first of them goes.
Context::~Context() {
  host::SegmentTable::ofProcess().leave(*this);
  if (own_ != nullptr) {
    own_->forEach([](Context& port) { port.stopThreads(); });
    own_->closeOthers();
  }
  stopThreads();
  if (portFile) {
    port().open.store(0, std::memory_order_release);  // pairs with DirectWindow::ownerGone()
    for (const std::shared_ptr<Link>& link : links) link->remind();
    unlink(portPath_.c_str());
  }
  if (own_ != nullptr) segments.freeAll();
}

void Context::stopThreads() {
  if (tcp != nullptr) tcp->stop();
  service.stop();
}

/// With TCP, the slot is one whose port number is free as well: the network may be shared with
/// another folder.
bool Context::takeSlot() {
  const verbs::Wiring& wiring = ports.wiring;
  std::string text = listensAt(wiring);
  std::optional<TcpPlace> place = TcpPlace::parse(text);
  if (!place && !text.empty()) {
    bool told = !wiring.listen.empty();  // who gave it hears of it (verbs/device.cpp)
    if (!told) std::fprintf(stderr, "VERBENA_SOFTNIC_TCP is not ADDRESS[:PORT[-LAST]]\n");
    errno = EINVAL;
    return false;
  }
  for (uint32_t lowest = 0;;) {
    portFile = folder->takeSlot(lowest);
    if (!portFile) return false;
    portPath_ = folder->portPath(port().slot);
    // Segments are named by it, and peers look for them by what the port shows.
    if (!isFirst()) port().incarnation = ports.first().port().incarnation;
    if (!place) return true;
    base::FileDescriptor listener = listenAt(*place, port().slot);
    if (listener) {
      tcp = std::make_unique<TcpService>(*this, *place, wiring.key, std::move(listener));
      return true;
    }
    int reason = errno;
    lowest = port().slot + 1;
    unlink(portPath_.c_str());
    portFile = host::SharedFile();
    errno = reason;
    if (reason != EADDRINUSE) return false;
  }
}

/// A flush that was cut short has forgotten some of those whose turn it was: all get theirs again.
void Context::fail() {
  if (failureDue.load(std::memory_order_relaxed) == Failure::Own) {
    failDevice(*this);
  } else {
    failPort(*this);
  }
  for (const std::shared_ptr<Link>& link : links) link->pending.clear();
  for (QueuePair* qp : qps) {
    if (qp == nullptr) continue;
    qp->pending = false;
    deferSend(*qp);
  }
  failureDue.store(Failure::None, std::memory_order_relaxed);
}

bool Context::progress(Acks acks) {
  bool moved = false;
  if (links.someShown()) links.accept();
  if (paused != 0) runTimers(base::monotonicNs());
  for (size_t i = 0; i < links.size(); i++) moved |= receive(links[i], acks);
  return moved;
}

bool Context::receive(Link& link, Acks acks) {
  bool moved = false;
  if (!link.pending.empty()) flush(link);  // of the pass before
  if (link.canReceive() && portUp) {
    link.receive();
    Packet packet;
    for (int turn = 0; turn < kPacketsPerTurn; turn++) {
      RingReader::State state = link.in.next(packet);
      if (state == RingReader::State::Broken) link.state = LinkState::Dead;
      if (state != RingReader::State::Packet) break;
      handlePacket(*this, link, packet);
      link.in.consume(packet);
      if (packet.header.sizeBytes >= kLargePacketBytes) link.release();
      moved = true;
    }
    if (moved) link.release();
    link.endIfRead();
  }
  bool waits = acks == Acks::MayWait && moved && !link.urgent && link.drops.empty();
  if (waits) {
    service.attend();
  } else if (!link.pending.empty() || !link.drops.empty()) {
    flush(link);
  }
  return moved;
}

/// A caller does not copy for ever because others go on posting: the rest is for the thread.
bool Context::makeCopies(std::unique_lock<host::Lock>& guard) {
  constexpr int kCopiesPerTurn = 64;
  bool some = !copiesDue.empty();
  for (int turn = 0; turn < kCopiesPerTurn && !copiesDue.empty(); turn++) {
    attempt([&] {
      if (!copiesDue.empty()) makeLongCopy(*copiesDue.front(), guard);
    });
  }
  if (!copiesDue.empty()) service.wake();
  return some;
}

void Context::waitForCopies(std::unique_lock<host::Lock>& guard) {
  uint32_t seen = copiesEnded_.load(std::memory_order_relaxed);  // changes under the lock
  copyWaiters_++;
  guard.unlock();
  host::futexWait(copiesEnded_, seen, host::kForever);
  guard.lock();
  copyWaiters_--;
}

void Context::copyEnded() {
  copiesEnded_.fetch_add(1, std::memory_order_relaxed);  // the lock orders everything else
  if (copyWaiters_ != 0) host::futexWake(copiesEnded_);
}

void Context::flushAll() {
  for (const std::shared_ptr<Link>& link : links) {
    if (!link->pending.empty()) flush(*link);
  }
}

/// Sends what was deferred: answers first, then requests. What does not fit stays.
void Context::flush(Link& link) {
  link.urgent = false;
  std::erase_if(link.drops, [&](const DroppedMessage& drop) { return sendDropped(link, drop); });
  size_t count = link.pending.size();
  for (size_t i = 0; i < count; i++) {
    QueuePair& qp = *link.pending[i];
    qp.pending = false;
    bool answered = sendAnswers(qp);
    transmit(qp);
    if (!answered) deferSend(qp);
  }
  link.pending.erase(link.pending.begin(), link.pending.begin() + static_cast<long>(count));
  if (!link.pending.empty()) {
    link.out.announceWait();
    service.attend();
  }
  link.publish();
}

bool Context::runTimers(uint64_t now) {
  bool moved = false;
  checkPort(*this, now);
  for (size_t i = 0; i < active.size();) {
    QueuePair& qp = *active[i];
    moved |= checkTimer(qp, now);
    if (!qp.sends.idle()) {
      i++;
      continue;
    }
    qp.active = false;
    active[i] = active.back();
    active.pop_back();
  }
  return moved;
}

uint64_t Context::nextDeadlineNs() const {
  uint64_t first = portUp ? 0 : portUpAtNs;
  for (const QueuePair* qp : active) {
    uint64_t end = qp->requester.pausedUntilNs;
    if (end != 0 && (first == 0 || end < first)) first = end;
  }
  return first;
}

bool Context::hasArrivals() const {
  return portUp && links.haveArrivals();
}

bool Context::busy() const {
  return !active.empty() || !portUp || links.someNotOpened() || links.waitForPeers();
}

void Context::activate(QueuePair& qp) {
  if (!qp.active) {
    qp.active = true;
    active.push_back(&qp);
  }
  service.attend();
}

bool Context::enlist(QueuePair& qp) {
  if (qps.empty()) qps.resize(kFirstQpIndex);
  // Numbers are not reused at once: what is still on its way to an old one finds nobody.
  for (uint32_t tried = kFirstQpIndex; tried < kQpsPerPort; tried++) {
    uint32_t index = nextQpIndex_;
    nextQpIndex_ = index + 1 < kQpsPerPort ? index + 1 : kFirstQpIndex;
    if (index >= qps.size()) qps.resize(index + 1);
    if (qps[index] != nullptr) continue;
    if (!backQp(portFile, index)) break;
    active.reserve(qps.size());
    copiesDue.reserve(qps.size());
    qps[index] = &qp;
    qp.index = index;
    qp.handle = index;
    qp.qp_num = qpnOf(port().slot, index);
    return true;
  }
  errno = ENOMEM;
  return false;
}

void Context::delist(QueuePair& qp) {
  qps[qp.index] = nullptr;
  if (qp.link != nullptr) std::erase(qp.link->pending, &qp);
  std::erase(active, &qp);
  withdrawEvents(asyncEvents, &qp);
}

void Context::raise(ibv_event_type type, QueuePair& qp) {
  ibv_async_event event{};
  event.event_type = type;
  event.element.qp = &qp;
  asyncEvents.push(event);
}

void Context::raise(ibv_event_type type, CompletionQueue& cq) {
  ibv_async_event event{};
  event.event_type = type;
  event.element.cq = &cq;
  asyncEvents.push(event);
}

void Context::raise(ibv_event_type type, SharedReceiveQueue& srq) {
  ibv_async_event event{};
  event.event_type = type;
  event.element.srq = &srq;
  asyncEvents.push(event);
}

void Context::raiseFatal() {
  ibv_async_event event{};
  event.event_type = IBV_EVENT_DEVICE_FATAL;
  asyncEvents.push(event);
}

void Context::raisePort(ibv_event_type type) {
  ibv_async_event event{};
  event.event_type = type;
  event.element.port_num = 1;
  asyncEvents.push(event);
}

}  // namespace verbena::softnic
