// SPDX-License-Identifier: Apache-2.0
#include "fabric/one_sided_link.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/wire.h"
#include "fabric/one_sided.h"
#include "fabric/worker.h"

namespace verbena::fabric {
namespace {

using base::Error;
using base::Result;

constexpr uint64_t kAtomicBytes = 8;
constexpr uint64_t kShortAtomicBytes = 4;
constexpr uint64_t kFlushBytes = 8;

/// What the service says of its end, little-endian: version, room for signals, the key and the
/// address of what a flush reads, and where the far side may work on mapped memory.
constexpr uint16_t kVersion = 2;
constexpr size_t kSignalsAt = 2;
constexpr size_t kFlushKeyAt = 4;
constexpr size_t kFlushAddressAt = 8;
constexpr size_t kSeatAt = 16;
constexpr size_t kTermsBytes = kSeatAt + Seat::kBytes;  // the words of its LinkUser follow
static_assert(QueuePairEnd::kBytes + kTermsBytes + LinkUser::kMostWords <=
              connect::LinkEnd::kMostBytes);

bool isWithin(uint64_t offset, uint64_t length, uint64_t bytes) {
  return offset <= bytes && length <= bytes - offset;
}

ibv_wr_opcode opcodeOf(const Request& request) {
  switch (request.operation) {
    case Operation::put: return request.signals ? IBV_WR_RDMA_WRITE_WITH_IMM : IBV_WR_RDMA_WRITE;
    case Operation::signal: return IBV_WR_RDMA_WRITE_WITH_IMM;
    case Operation::get:
    case Operation::flush: return IBV_WR_RDMA_READ;
    case Operation::fetchAdd: return IBV_WR_ATOMIC_FETCH_AND_ADD;
    case Operation::compareSwap: return IBV_WR_ATOMIC_CMP_AND_SWP;
  }
  return IBV_WR_SEND;
}

/// What a completion says of its operation. A device that answers has refused it; of one that does
/// not nobody knows. The result of an atomic is written here after it was executed there.
Done::Outcome outcomeOf(Operation operation, ibv_wc_status status) {
  switch (status) {
    case IBV_WC_SUCCESS: return Done::Outcome::done;
    case IBV_WC_REM_ACCESS_ERR:
    case IBV_WC_REM_INV_REQ_ERR:
    case IBV_WC_LOC_QP_OP_ERR: return Done::Outcome::refused;
    case IBV_WC_LOC_PROT_ERR:
    case IBV_WC_LOC_LEN_ERR:
      return isAtomic(operation) ? Done::Outcome::unknown : Done::Outcome::refused;
    default: return Done::Outcome::unknown;
  }
}

bool isSignal(const Request& request) {
  return request.signals || request.operation == Operation::signal;
}

/// Devices have atomics of 8 bytes alone.
bool needsMapping(const Request& request) {
  return isAtomic(request.operation) && request.length == kShortAtomicBytes;
}

uint32_t countSignals(std::span<const Request> requests) {
  return static_cast<uint32_t>(std::ranges::count_if(requests, isSignal));
}

}  // namespace

Result<OneSidedLink::Far> OneSidedLink::judged(connect::NodeId peer, const connect::LinkEnd& far) {
  std::span<const std::byte> terms = QueuePairEnd::termsOf(far);
  if (terms.size() < kTermsBytes || base::getLittle<uint16_t>(terms, 0) != kVersion) {
    return refusedEnd(
        peer, "it does not speak version " + std::to_string(kVersion) + " of one-sided memory");
  }
  Result<QueuePairEnd> end = QueuePairEnd::of(peer, far);
  if (!end) return end.error();
  if (end->maxReadsServed == 0) return refusedEnd(peer, "it serves no reads");
  Far judged{*end,
             base::getLittle<uint16_t>(terms, kSignalsAt),
             base::getLittle<uint32_t>(terms, kFlushKeyAt),
             base::getLittle<uint64_t>(terms, kFlushAddressAt),
             Seat::read(terms.subspan(kSeatAt)),
             terms.subspan(kTermsBytes)};
  if (judged.signals > INT16_MAX) return refusedEnd(peer, "it has room for too many signals");
  return judged;
}

OneSidedLink::OneSidedLink(OneSided& service, Worker& worker, uint32_t place)
    : Link(worker, service, place), service_(service) {}

Result<connect::LinkEnd> OneSidedLink::make(const connect::NewLink& link) {
  Signals& signals = *service_.signals_;
  LinkUser* user = service_.options_.user;
  Result<std::vector<std::byte>> words =
      user == nullptr ? std::vector<std::byte>() : user->say(link);
  if (!words) return words.error();
  // Not before: of all places for links few may ever be used.
  operations_.resize(SendQueue::places(worker().options().sendWorkRequests));
  name_ = link.name;
  incarnation_ = link.incarnation;
  told_.store(0, std::memory_order_relaxed);
  tailIsSilent_ = false;
  lastWrite_ = lastRead_ = 0;
  wasLost_ = false;
  int access = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ;
  if (worker().domain().hasAtomics()) access |= IBV_ACCESS_REMOTE_ATOMIC;
  Result<QueuePairEnd> made = makeQueuePair(link, {.sendPieces = 1,
                                                   .arrivals = signals.arrivals(),
                                                   .receives = &signals.receives(),
                                                   .remoteAccess = access});
  if (!made) return made.error();
  counters_.begin(service_.relinks_.begin(link.peer, link.name.rail));
  granted_ = signals.reserve();
  generation_ = signalsIn_.open(granted_);
  std::vector<std::byte> terms(kTermsBytes);
  base::putLittle(terms, 0, kVersion);
  base::putLittle(terms, kSignalsAt, static_cast<uint16_t>(granted_));
  base::putLittle(terms, kFlushKeyAt, service_.flushed_.rkey());
  base::putLittle(terms, kFlushAddressAt, service_.flushed_.address());
  mapped_.offer(worker().domain(), service_.options_.mapping)
      .write(std::span(terms).subspan(kSeatAt));
  terms.insert(terms.end(), words->begin(), words->end());
  return made->with(terms);
}

Result<void> OneSidedLink::connect(const connect::LinkEnd& end) {
  Result<Far> far = judged(peer(), end);
  if (!far) return far.error();
  if (Result<void> connected = connectTo(far->end); !connected) return connected;
  if (LinkUser* user = service_.options_.user) {
    Result<void> heard = user->hear({id(), peer(), name_, &end, incarnation_}, far->words);
    if (!heard) return heard;
  }
  far_ = *far;
  far_.words = {};
  signalsOut_.open(far_.signals);
  mapped_.accept(far_.seat);
  listen();
  return {};
}

uint32_t OneSidedLink::roomInQueue() {
  requests().reclaim([](uint64_t) {});
  return requests().room();
}

// ------------------------------------------------------------------ posting

Result<uint32_t> OneSidedLink::post(std::span<const Request> all) {
  Result<uint32_t> good = chainOf(all);
  if (!good) {
    counters_.refused.add();
    return good;
  }
  all = all.first(*good);
  if (goesByMapping()) {
    bool isBegun = false;
    Result<uint32_t> executed = executeMapped(all, isBegun);
    // A refusal would say that nothing was moved, and what is posted behind it would be executed.
    if (isBegun) return *executed + postToDevice(all.subspan(*executed));
    if (!executed || *executed != 0) return executed;
  }
  Result<uint32_t> valid = cutAtRevoked(all);
  if (!valid) {
    counters_.refused.add();
    return valid;
  }
  uint32_t taken = postToDevice(all.first(*valid));
  if (taken == 0) counters_.noRoom.add();
  return taken;
}

/// How many from the first on have a key that stands; the error is the first one's. Otherwise the
/// target's device would find out, at the cost of the link.
Result<uint32_t> OneSidedLink::cutAtRevoked(std::span<const Request> all) {
  auto revoked = std::ranges::find_if(all, [this](const Request& request) {
    return neededAccess(request.operation) != 0 && mapped_.isRevoked(request.key);
  });
  if (revoked == all.begin() && revoked != all.end()) {
    return refuseRevoked(*revoked);
  }
  return static_cast<uint32_t>(revoked - all.begin());
}

Error OneSidedLink::refuseRevoked(const Request& request) const {
  return refuse(request, ESTALE, "the key was revoked; get a new one");
}

/// What cannot go by the device waits until it can go by mapping.
uint32_t OneSidedLink::postToDevice(std::span<const Request> all) {
  if (all.empty()) return 0;
  auto first = std::ranges::find_if(all, needsMapping);
  if (first == all.begin()) return waitForMapping();
  if (!postDues()) return 0;
  auto most = static_cast<uint32_t>(first - all.begin());
  uint32_t count = service_.reserve(std::min(most, roomInQueue()));
  if (count == 0) return 0;
  uint32_t taken = postChain(all.first(count));
  counters_.byDevice.add(taken);
  service_.giveBack(count - taken);
  return taken;
}

/// What the device has acknowledged is in its place: an adapter may be behind with writing what was
/// put, but not with what it has read since.
bool OneSidedLink::isPlaced() const {
  return lastWrite_ <= lastRead_ || worker().domain().lending().deviceIsProcess();
}

/// Nothing of the link is open at the device, so what is done now is done in its order.
bool OneSidedLink::goesByMapping() {
  return mapped_.isOpen() && requests().isEmpty() && isPlaced();
}

std::optional<uint64_t> OneSidedLink::lastToBeTold() {
  bool isSaid = state() != State::Ready || isPlaced() || postFlush();
  return isSaid ? std::optional(requests().posted()) : std::nullopt;
}

/// How many from the first on were executed, and whether the one behind them was begun; the error
/// is of the first, which goes no other way.
Result<uint32_t> OneSidedLink::executeMapped(std::span<const Request> all, bool& isBegun) {
  std::array<Done, kChain> done;
  uint32_t room = service_.reserve(static_cast<uint32_t>(all.size()));
  uint32_t count = 0;
  for (bool goesOn = true; goesOn && count < room; count++) {
    MappedWay::Outcome outcome = executeMapped(all[count]);
    isBegun = outcome == MappedWay::Outcome::begun;
    if (isBegun || outcome == MappedWay::Outcome::elsewhere) break;
    goesOn = outcome == MappedWay::Outcome::done;
    if (!goesOn) countFailed();
    wasLost_ = !goesOn;
    done[count] = {.cookie = all[count].cookie,
                   .offset = all[count].offset,
                   .length = all[count].length,
                   .rkey = all[count].key.rkey,
                   .peer = peer(),
                   .outcome = goesOn ? Done::Outcome::done : Done::Outcome::unknown,
                   .operation = all[count].operation,
                   .status = goesOn ? IBV_WC_SUCCESS : IBV_WC_RETRY_EXC_ERR};
    counters_.count(all[count]);
  }
  service_.giveBack(room - count);
  service_.tell(std::span(done).first(count));
  if (room != 0 && count == 0 && needsMapping(all.front())) {
    counters_.refused.add();
    if (mapped_.isRevoked(all.front().key)) return refuseRevoked(all.front());
    return refuse(all.front(), ENOTSUP,
                  std::string("4 bytes go by mapped memory alone, and ") +
                      (all.front().key.lent
                           ? "this is lent without atomics: those of its device are not coherent "
                             "with the processor's"
                           : "this is not lent: it was registered and not allocated, or there was "
                             "no room for one loan more") +
                      "; take 8 bytes");
  }
  return count;
}

MappedWay::Outcome OneSidedLink::executeMapped(const Request& request) {
  if (request.operation == Operation::flush) return MappedWay::Outcome::done;
  if (isSignal(request)) return MappedWay::Outcome::elsewhere;
  return mapped_.execute(request, [this] { return state() == State::Ready; });
}

/// There is no room now. What was put by an adapter is in its place when a read behind it is done.
uint32_t OneSidedLink::waitForMapping() {
  if (lastWrite_ > lastRead_ && requests().isEmpty()) postFlush();
  return 0;
}

/// How many from the first on go together, now; the error is the first one's.
Result<uint32_t> OneSidedLink::chainOf(std::span<const Request> requests) {
  uint32_t count = 0;
  uint32_t signals = 0;
  for (uint64_t bytes = 0; count < requests.size() && count < kChain; count++) {
    const Request& next = requests[count];
    Result<void> good = check(next);
    if (!good && count == 0) return good.error();
    bytes += next.length;
    if (!good || (count > 0 && bytes > kChainBytes)) break;
    if (isSignal(next) && ++signals > signalsOut_.room()) break;
  }
  return count;
}

/// All that can be known here. What the target's device finds costs the link.
Result<void> OneSidedLink::check(const Request& request) {
  if (request.signals && request.operation != Operation::put) {
    return refuse(request, EINVAL, "puts alone can signal");
  }
  if (isSignal(request) && far_.signals == 0) {
    return refuse(
        request, ENOBUFS,
        "the target had room for no signal when the link began: it has not taken those of "
        "links that have ended; make a new link when it has");
  }
  if (neededAccess(request.operation) == 0) return {};
  const Domain& domain = worker().domain();
  uint64_t length = request.length;
  bool atomic = isAtomic(request.operation);
  if (length == 0 || (atomic && length != kAtomicBytes && length != kShortAtomicBytes)) {
    return refuse(request, EINVAL, "a put or get has at least 1 byte, an atomic has 8, or 4");
  }
  if (length > domain.maxMessageBytes) {
    return refuse(request, EMSGSIZE,
                  "the device moves " + std::to_string(domain.maxMessageBytes) +
                      " bytes at a time; post it in parts");
  }
  if (needsMapping(request) && !mapped_.isOpen()) {
    return refuse(request, ENOTSUP,
                  "4 bytes go by mapped memory alone, and there is none: " + mapped_.whyNot() +
                      "; take 8 bytes");
  }
  if (atomic && !domain.hasAtomics()) {
    return refuse(request, ENOTSUP, "the device has no atomics");
  }
  if (request.key.owner != peer() || request.key.incarnation != incarnation_) {
    return refuse(request, ESTALE,
                  "the key is of node " + std::to_string(request.key.owner) +
                      " or of a former life of it; get a new one");
  }
  uint8_t needed = neededAccess(request.operation);
  if ((request.key.access & needed) == 0) {
    return refuse(request, EACCES,
                  "the key was shared with access " + std::to_string(request.key.access) +
                      ", this takes " + std::to_string(needed) +
                      " (get 1, put 2, atomics 4); get one that allows it");
  }
  if (!isWithin(request.offset, length, request.key.length)) {
    return refuse(request, ERANGE,
                  "the key names " + std::to_string(request.key.length) + " bytes");
  }
  if (atomic && (request.key.address + request.offset) % length != 0) {
    return refuse(request, EINVAL, "an atomic's word lies at a multiple of its length");
  }
  return checkLocal(request, length);
}

Result<void> OneSidedLink::checkLocal(const Request& request, uint64_t length) const {
  if (request.local == nullptr) return refuse(request, EINVAL, "it has no local region");
  uint64_t all = request.local->bytes().size();
  if (!isWithin(request.localOffset, length, all)) {
    return refuse(request, ERANGE,
                  "the local region has " + std::to_string(all) + " bytes, and this takes " +
                      std::to_string(length) + " from " + std::to_string(request.localOffset) +
                      " on");
  }
  if (&request.local->domain() != &worker().domain()) {
    return refuse(request, EINVAL, "the local region is another domain's");
  }
  return {};
}

Error OneSidedLink::refuse(const Request& request, int code, const std::string& why) const {
  return {std::string(nameOf(request.operation)) + " " + std::to_string(request.length) +
              " bytes at " + std::to_string(request.offset),
          "key " + std::to_string(request.key.rkey) + " of node " + std::to_string(peer()), code,
          why};
}

uint32_t OneSidedLink::postChain(std::span<const Request> all) {
  std::array<ibv_send_wr, kChain> chain;
  std::array<ibv_sge, kChain> pieces;
  for (size_t i = 0; i < all.size(); i++) {
    fill(chain[i], pieces[i], all[i]);
    chain[i].next = i + 1 < all.size() ? &chain[i + 1] : nullptr;
    uint64_t number = requests().posted() + i + 1;
    operations_[requests().place(number)] = {all[i].cookie,   all[i].offset,    all[i].length,
                                             all[i].key.rkey, all[i].operation, false};
  }
  signalsOut_.reserve(countSignals(all));
  uint32_t taken = 0;
  chain[all.size() - 1].send_flags |= IBV_SEND_SIGNALED;
  static_cast<void>(Link::post(chain.data(), taken));  // what went wrong is in trouble()
  if (taken != 0 && taken != all.size()) {
    tailIsSilent_ = true;
    awaitRoom();
  }
  signalsOut_.takeBack(countSignals(all.subspan(taken)));
  note(all.first(taken));
  return taken;
}

/// What the device has just taken.
void OneSidedLink::note(std::span<const Request> taken) {
  uint64_t number = requests().posted() - taken.size();
  for (const Request& each : taken) {
    number++;
    bool writes = each.operation == Operation::put || each.operation == Operation::signal;
    (writes ? lastWrite_ : lastRead_) = number;
    counters_.count(each);
  }
}

void OneSidedLink::fill(ibv_send_wr& into, ibv_sge& piece, const Request& request) const {
  into = {};
  into.sg_list = &piece;
  into.num_sge = 1;
  into.opcode = opcodeOf(request);
  into.send_flags = request.fence ? unsigned{IBV_SEND_FENCE} : 0U;
  if (request.operation == Operation::flush) return fillFlush(into, piece);
  into.imm_data = htonl(request.signal);
  if (request.operation == Operation::signal) {
    into.num_sge = 0;
    return;
  }
  piece = {reinterpret_cast<uintptr_t>(request.local->bytes().data() + request.localOffset),
           static_cast<uint32_t>(request.length), request.local->lkey()};
  // What is fenced may be what a get before it brings: it is not there yet.
  bool isThere = request.operation == Operation::put && !request.fence;
  if (isThere && request.length <= maxInline()) into.send_flags |= IBV_SEND_INLINE;
  uint64_t target = request.key.address + request.offset;
  if (isAtomic(request.operation)) {
    into.wr.atomic = {target, request.operand, request.swap, request.key.rkey};
  } else {
    into.wr.rdma = {target, request.key.rkey};
  }
}

/// The far device executes a read behind the writes that came before it, and its answer pushes
/// their bytes on the way to memory ahead of it. What is read nobody looks at.
void OneSidedLink::fillFlush(ibv_send_wr& into, ibv_sge& piece) const {
  piece = {reinterpret_cast<uintptr_t>(service_.words_.start() + kFlushBytes), kFlushBytes,
           service_.words_.lkey()};
  into.wr.rdma = {far_.flushAddress, far_.flushKey};
}

std::string Way::sentence() const {
  std::string counts = std::to_string(byMapping) + " operations by mapped memory, " +
                       std::to_string(byDevice) + " by the device";
  return mapped ? counts : counts + "; no more by mapped memory: " + why;
}

Way OneSidedLink::way() {
  bool open = mapped_.isOpen();
  LinkCounts counts = counters_.read();
  return {open, open ? "" : mapped_.whyNot(), counts.byMapping, counts.byDevice, wire()};
}

/// Of softnic the processes of one folder share a GID.
std::string OneSidedLink::wire() const {
  const Domain& domain = worker().domain();
  const verbs::Selection& ours = domain.selection;
  if (std::string_view(ours.device.provider().name) != "softnic") return domain.context.name();
  bool sharesFolder = std::memcmp(&far_.end.gid, &ours.gid.gid, sizeof(ibv_gid)) == 0;
  return domain.context.name() + (sharesFolder ? " by shared memory" : " by TCP");
}

LinkCounts OneSidedLink::counts() const {
  LinkCounts counts = counters_.read();
  counts.peer = peer();
  return counts;
}

// ------------------------------------------------------------------ signals

Link::Pumped OneSidedLink::pump() {
  if (state() != State::Ready || postDues()) return Pumped::Done;
  if (trouble().code != 0) return Pumped::Failed;
  bool goesOn = !waits([this] { return roomInQueue() != 0; });
  return goesOn ? Pumped::More : Pumped::Waits;
}

/// False if there is no room for what is due: what others post does not go before it.
bool OneSidedLink::postDues() {
  return (!signalsIn_.due() || postReport()) && (!tailIsSilent_ || postTail());
}

bool OneSidedLink::postReport() {
  uint32_t count = signalsIn_.givenBack();
  ibv_send_wr report{};
  report.opcode = IBV_WR_SEND_WITH_IMM;
  report.imm_data = htonl(count & UINT16_MAX);
  if (!postOwn(report)) return false;
  signalsIn_.reported(count);
  return true;
}

/// The device took a part of a chain, whose last request was to report.
bool OneSidedLink::postTail() {
  tailIsSilent_ = !postFlush();
  return !tailIsSilent_;
}

bool OneSidedLink::postFlush() {
  ibv_send_wr flush{};
  ibv_sge piece;
  flush.opcode = IBV_WR_RDMA_READ;
  flush.sg_list = &piece;
  flush.num_sge = 1;
  fillFlush(flush, piece);
  if (!postOwn(flush)) return false;
  lastRead_ = requests().posted();
  return true;
}

/// A request of whose end nobody hears.
bool OneSidedLink::postOwn(ibv_send_wr& request) {
  if (roomInQueue() == 0) return false;
  request.send_flags = IBV_SEND_SIGNALED;
  operations_[requests().place(requests().posted() + 1)].isOwn = true;
  uint32_t taken = 0;
  static_cast<void>(Link::post(&request, taken));
  return taken != 0;
}

bool OneSidedLink::hear(const ibv_wc& arrival) {
  uint32_t said = ntohl(arrival.imm_data);
  if ((arrival.wc_flags & IBV_WC_WITH_IMM) == 0) return false;
  if (arrival.opcode != IBV_WC_RECV_RDMA_WITH_IMM) {
    return arrival.byte_len == 0 && said <= UINT16_MAX &&
           signalsOut_.report(static_cast<uint16_t>(said));
  }
  if (!signalsIn_.receive()) return false;
  service_.signals_->push({{id(), peer(), said}, place(), generation_});
  return true;
}

// ------------------------------------------------------------------ what is done

/// The last one of a chain reports, and each that is not executed: who has said nothing before is
/// done.
void OneSidedLink::completed(uint64_t number, ibv_wc_status status) {
  if (number == 0) return;
  tellUntil(number - 1, IBV_WC_SUCCESS);
  tellUntil(number, status);
}

/// Of all up to the number that nobody has heard of.
void OneSidedLink::tellUntil(uint64_t number, ibv_wc_status status) {
  std::array<Done, kChain> done;
  size_t count = 0;
  for (uint64_t told = told_.load(std::memory_order_relaxed); told < number;) {
    const Open& open = operations_[requests().place(++told)];
    if (!open.isOwn) done[count++] = doneOf(open, status);
    if (!open.isOwn && status != IBV_WC_SUCCESS) countFailed();
    if (count < done.size() && told < number) continue;
    service_.tell(std::span(done).first(count));
    // release pairs with hasTold(): poll() has them by then
    told_.store(told, std::memory_order_release);
    count = 0;
  }
}

void OneSidedLink::countFailed() {
  counters_.failed.addShared();
  service_.failed_.fetch_add(1, std::memory_order_relaxed);
}

Done OneSidedLink::doneOf(const Open& open, ibv_wc_status status) const {
  return {.cookie = open.cookie,
          .offset = open.offset,
          .length = open.length,
          .rkey = open.rkey,
          .peer = peer(),
          .outcome = outcomeOf(open.operation, status),
          .operation = open.operation,
          .status = status};
}

void OneSidedLink::ended(uint64_t number) {
  tellUntil(number, IBV_WC_WR_FLUSH_ERR);
  mapped_.end();
  service_.signals_->giveBack(granted_ - signalsIn_.shut());
  if (LinkUser* user = service_.options_.user) user->ended(id());
}

}  // namespace verbena::fabric
