// SPDX-License-Identifier: Apache-2.0
#include "fifo/channels.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <span>
#include <thread>

#include "base/survive.h"
#include "fifo/connections.h"
#include "fifo/names.h"
#include "fifo/opening.h"
#include "fifo/openings.h"
#include "fifo/reader.h"
#include "fifo/writer.h"

namespace verbena::fifo {
namespace {

using base::Error;
using base::Result;
using connect::LinkId;
using connect::NodeId;

/// Signals that one link may bring and nobody has taken, where the device has room for so many: a
/// reader that is behind gets no more, and looks by itself.
constexpr uint32_t kSignals = 64;

/// What is told where there is no memory for a reason; a string has room for it in itself.
constexpr const char* kNoMemory = "no memory";

Result<void> checkNumber(const char* operation, uint16_t number) {
  if (number <= kMostNumber) return {};
  return Error{std::string(operation) + " channel " + std::to_string(number), "", EINVAL,
               "numbers of channels are 0 to " + std::to_string(kMostNumber)};
}

uint16_t numberOf(const connect::NewLink& link) {
  return link.name.rail & ~kWriterIsGreater;
}

bool isOfConnection(uint16_t number) {
  return (number & kOfConnection) != 0;
}

bool doesWrite(NodeId self, const connect::NewLink& link) {
  bool greaterWrites = (link.name.rail & kWriterIsGreater) != 0;
  return (self > link.peer) == greaterWrites;
}

}  // namespace

std::string nameOf(uint16_t number) {
  if (!isOfConnection(number)) return "channel " + std::to_string(number);
  return "connection " + std::to_string(number & kMostCount);
}

Result<std::unique_ptr<Channels>> Channels::on(node::Node& node, const ChannelsOptions& options) {
  auto all = onEach(node, options);
  if (!all) return all.error();
  return std::move(all->front());
}

Result<std::vector<std::unique_ptr<Channels>>> Channels::onEach(node::Node& node,
                                                                const ChannelsOptions& given) {
  ChannelsOptions options = given;
  if (options.folder.empty()) options.folder = defaultFolder();
  auto openings = std::make_shared<Openings>();
  std::vector<std::unique_ptr<Channels>> all;
  for (uint32_t worker = 0; worker < node.workers(); worker++) {
    auto one = onOne(node, worker, options, openings);
    if (!one) return one.error();
    openings->faces.push_back(one->get());
    all.push_back(std::move(*one));
  }
  return all;
}

Result<std::unique_ptr<Channels>> Channels::onOne(node::Node& node, uint32_t number,
                                                  const ChannelsOptions& options,
                                                  std::shared_ptr<Openings> openings) {
  fabric::Worker& worker = node.worker(number);
  uint32_t requests = worker.options().sendWorkRequests;
  if (requests <= kRequestsBesides) {
    return Error{"open channels", "", EINVAL,
                 "links send " + std::to_string(requests) + " requests at a time: set at least " +
                     std::to_string(kRequestsBesides + 1) + " (sendWorkRequests)"};
  }
  auto bell = Bell::create(options.folder);
  if (!bell) return bell.error();
  std::unique_ptr<Channels> channels(
      new Channels(node, number, options, std::move(openings), std::move(*bell)));
  uint32_t most = fabric::Signals::mostEach(worker.domain(), options.channels);
  auto memory = fabric::OneSided::on(
      worker, {.links = options.channels,
               .signals = std::min(kSignals, most),
               .mapping = false,  // what two ends on one host share they map themselves (RingFile)
               .user = channels.get()});
  if (!memory) return memory.error();
  channels->memory_ = std::move(*memory);
  auto added = node.add(kChannels, *channels->memory_, options.channels, number);
  if (!added) return added.error();
  auto heard = worker.listenTo(channels->bell_.descriptor());
  if (!heard) return heard.error();
  return channels;
}

// ------------------------------------------------------------------ opening

Result<std::unique_ptr<Reader>> Channels::openReader(uint16_t number, uint64_t capacity,
                                                     std::optional<NodeId> from) {
  if (auto good = checkNumber("read", number); !good) return good.error();
  auto reader = Reader::make(*this, number, capacity);
  if (!reader) return reader.error();
  (*reader)->from_ = from;
  std::lock_guard guard(openings_->lock);
  if (!openings_->readers.try_emplace(number, reader->get()).second) {
    (*reader)->abandon();
    return Error{"read " + fifo::nameOf(number), "", EADDRINUSE,
                 "another reader of this node waits for its writer there: free that one, or take "
                 "another number"};
  }
  return reader;
}

Result<std::unique_ptr<Writer>> Channels::openWriter(NodeId reader, uint16_t number,
                                                     std::chrono::nanoseconds timeout) {
  auto opening = beginWriter(reader, number, timeout);
  if (!opening) return opening.error();
  return (*opening)->await();
}

Result<std::unique_ptr<Opening>> Channels::beginWriter(NodeId reader, uint16_t number,
                                                       std::chrono::nanoseconds timeout,
                                                       uint64_t mostRing) {
  if (auto good = checkNumber("write to", number); !good) return good.error();
  auto opening = open(reader, number, timeout);
  if (opening) (*opening)->writer_->mostCapacity_ = mostRing;
  return opening;
}

Result<std::unique_ptr<Opening>> Channels::open(NodeId reader, uint16_t number,
                                                std::chrono::nanoseconds timeout) {
  std::unique_ptr<Opening> opening(new Opening(*this, reader, number, timeout));
  std::lock_guard guard(openings_->lock);
  if (openings_->writers.try_emplace({reader, number}, opening->writer_.get()).second) {
    return opening;
  }
  return Error{"write to " + fifo::nameOf(number), "", EADDRINUSE,
               "another thread of this node opens it: a channel has one writer"};
}

/// A former link of the name may be of any worker, and ends by that one's rounds.
void Channels::driveAll() {
  for (Channels* each : openings_->faces) each->drive();
}

bool Channels::isUsed(LinkId link) const {
  std::lock_guard guard(lock_);
  return endOf(link) != nullptr;
}

connect::LinkName Channels::nameOf(NodeId reader, NodeId writer, uint16_t number) const {
  return {kChannels, static_cast<uint16_t>(writer > reader ? number | kWriterIsGreater : number)};
}

// ------------------------------------------------------------------ links

End* Openings::waiting(NodeId self, const connect::NewLink& link) const {
  uint16_t number = numberOf(link);
  bool writes = doesWrite(self, link);
  auto writer = writers.find({link.peer, number});
  if (writes && writer != writers.end()) return writer->second;
  if (isOfConnection(number)) {
    return connections == nullptr ? nullptr : connections->waiting(link, number, writes);
  }
  if (writes) return nullptr;
  auto found = readers.find(number);
  if (found == readers.end()) return nullptr;
  return found->second->from_.value_or(link.peer) == link.peer ? found->second : nullptr;
}

/// The worker's of the end that waits. What somebody connects for is those' who listen.
uint32_t Channels::faceFor(const connect::NewLink& link) const {
  std::lock_guard guard(openings_->lock);
  if (const End* end = openings_->waiting(options_.owner.node, link)) return end->all_.number_;
  bool isForConnections = isOfConnection(numberOf(link)) && openings_->connections != nullptr;
  return isForConnections ? openings_->connections->channels_.number_ : number_;
}

/// Under the lock of the openings: who waits here for such a link.
End* Channels::waiting(const connect::NewLink& link) const {
  End* end = openings_->waiting(options_.owner.node, link);
  return end != nullptr && &end->all_ == this ? end : nullptr;
}

Result<std::vector<std::byte>> Channels::say(const connect::NewLink& link) {
  std::lock_guard guard(openings_->lock);
  Connections* connections = openings_->connections;
  bool writes = doesWrite(options_.owner.node, link);
  bool isNew = isOfConnection(numberOf(link)) && connections != nullptr;
  if (isNew) connections->expect(link, numberOf(link), writes);
  if (End* end = waiting(link)) return end->words();
  bool connects = isOfConnection(numberOf(link));
  return Error{"link " + fifo::nameOf(numberOf(link)), "", ENOENT,
               "node " + std::to_string(options_.owner.node) +
                   (connects ? " takes no connections (now)"
                    : writes ? " does not write to it"
                             : " does not read it (yet)")};
}

Result<void> Channels::hear(const connect::NewLink& link, std::span<const std::byte> words) {
  std::lock_guard opening(openings_->lock);
  std::lock_guard guard(lock_);
  End* end = waiting(link);
  if (end == nullptr || end->phase() == End::Phase::linked) {
    return Error{"link " + fifo::nameOf(numberOf(link)), "", ENOENT,
                 "its end has gone meanwhile, or has another link"};
  }
  if (auto heard = end->hear(link, words); !heard) return heard;
  ends_.emplace(link.id, end);
  if (!doesWrite(options_.owner.node, link)) openings_->readers.erase(end->number());
  end->peer_.store(link.peer, std::memory_order_release);
  end->link_.store(link.id, std::memory_order_release);
  end->phase_.store(End::Phase::linked, std::memory_order_release);
  return {};
}

void Channels::down(LinkId link, const std::string& reason) {
  keepReason(link, true, reason);
}

void Channels::notUp(LinkId link, const std::string& reason) {
  keepReason(link, false, reason);
}

/// The first one counts: what comes behind it is a consequence.
void Channels::keepReason(LinkId link, bool wasUp, const std::string& reason) {
  std::lock_guard guard(lock_);
  End* end = endOf(link);
  if (end == nullptr || !end->reason_.empty()) return;
  end->wasUp_ = wasUp;
  end->reason_ = kNoMemory;
  base::survive([&] { end->reason_ = reason; });
}

void Channels::ended(LinkId link) {
  give();  // signals that nobody has taken yet: whether it waits again depends on them
  std::lock_guard opening(openings_->lock);
  std::lock_guard guard(lock_);
  if (auto kept = kept_.extract(link)) {
    due_.insert(std::move(kept));
    isDue_.store(true, std::memory_order_relaxed);
  }
  End* end = endOf(link);
  if (end == nullptr) return;
  if (end->link() != link) {  // it has another one by now
    ends_.erase(link);
    return;
  }
  bool waitsAgain = false;
  base::survive([&] {
    waitsAgain = !end->wasUp_ && !isOfConnection(end->number()) && end->waitsAgain() &&
                 openings_->readers.try_emplace(end->number(), static_cast<Reader*>(end)).second;
  });
  if (waitsAgain) {
    ends_.erase(link);
    end->peer_.store(0, std::memory_order_release);
    end->reason_.clear();
    end->wasUp_ = true;
  }
  // Its last signals may be to be given to it still.
  end->phase_.store(waitsAgain ? End::Phase::unlinked : End::Phase::over,
                    std::memory_order_release);
}

void Channels::forget(End& end, const char* how, std::shared_ptr<void> memory) noexcept {
  LinkId link = keep(end, std::move(memory));
  if (link == 0) return;
  std::string reason = kNoMemory;
  base::survive([&] { reason = fifo::nameOf(end.number()) + how; });
  base::survive([&] { node_.manager().failed(link, reason); });
}

/// Takes no memory. Returns the link, which is to be closed; 0 if there is none.
LinkId Channels::keep(End& end, std::shared_ptr<void> memory) {
  Openings& openings = *openings_;
  std::lock_guard opening(openings.lock);
  std::lock_guard guard(lock_);
  auto isIt = [&](auto& each) { return each.second == &end; };
  std::erase_if(openings.readers, isIt);
  std::erase_if(openings.writers, isIt);  // of one whose opening was given up for want of memory
  if (openings.connections != nullptr) std::erase_if(openings.connections->expected_, isIt);
  std::erase_if(ends_, isIt);
  if (end.phase() != End::Phase::linked) return 0;
  end.place_.key() = end.link();
  end.place_.mapped() = std::move(memory);
  kept_.insert(std::move(end.place_));
  return end.link();
}

End* Channels::endOf(LinkId link) const {
  auto found = ends_.find(link);
  return found == ends_.end() ? nullptr : found->second;
}

// ------------------------------------------------------------------ rounds

size_t Channels::drive() {
  size_t done = worker_.progress();
  dispatch();
  return done;
}

uint64_t Channels::arm(std::initializer_list<Ends> ends, const fabric::Service* whose) {
  // Before the ends say that they sleep: a wake that the next look uses up, and does not get enough
  // by, ends the wait all the same.
  uint64_t ticket = worker_.arm(whose);
  forEach(ends, [](End& end) { end.aboutToSleep(); });
  // seq_cst pairs with that of a nudge(): it sees that they sleep, or the next look what it is for
  std::atomic_thread_fence(std::memory_order_seq_cst);
  drive();
  return ticket;
}

void Channels::disarm(std::initializer_list<Ends> ends) {
  worker_.wait(std::chrono::nanoseconds::zero(), ticket_);
  forEach(ends, [](End& end) { end.awake(); });
  drive();
}

/// Who has slept so shortly would have done better to look a little longer.
void Channels::adaptSpin(std::chrono::nanoseconds slept) {
  constexpr int kLeastShare = 16;
  auto spin = spin_.load(std::memory_order_relaxed);
  bool wasShort = slept < 2 * options_.spin;
  spin = wasShort ? options_.spin : std::max(spin / 2, options_.spin / kLeastShare);
  spin_.store(spin, std::memory_order_relaxed);
}

void Channels::dispatch() {
  if (isDue_.load(std::memory_order_relaxed)) freeWhatIsDue();
  if (memory_->hasArrivals()) give();
}

/// Whoever has looked in vain meanwhile looks again.
void Channels::give() {
  giveOut();
  worker_.wake();
}

void Channels::freeWhatIsDue() {
  Kept free;  // behind the lock
  std::lock_guard guard(lock_);
  free.swap(due_);
  isDue_.store(false, std::memory_order_relaxed);
}

void Channels::giveOut() {
  std::array<fabric::Signal, 64> signals;
  std::array<fabric::Done, 64> done;
  std::lock_guard guard(lock_);
  while (size_t count = memory_->takeSignals(signals)) {
    for (const fabric::Signal& each : std::span(signals).first(count)) {
      if (End* end = endOf(each.link)) end->signalled(each.value);
    }
  }
  while (size_t count = memory_->poll(done)) {
    for (const fabric::Done& each : std::span(done).first(count)) {
      if (End* end = endOf(each.cookie)) {
        end->completed(each.outcome == fabric::Done::Outcome::done);
      }
    }
  }
}

void Channels::blame(End& end, const std::string& reason) {
  {
    std::lock_guard guard(lock_);
    end.reason_ = reason;
  }
  node_.manager().close(end.link(), reason);
}

std::string Channels::reasonOf(const End& end) {
  std::lock_guard guard(lock_);
  return end.reason_;
}

}  // namespace verbena::fifo
