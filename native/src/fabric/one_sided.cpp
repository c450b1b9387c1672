// SPDX-License-Identifier: Apache-2.0
#include "fabric/one_sided.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>

#include "base/wire.h"
#include "fabric/worker.h"

namespace verbena::fabric {
namespace {

using base::Error;
using base::Result;

constexpr uint64_t kAtomicBytes = 8;
/// Of what the service says of its end: its version, little-endian.
constexpr uint16_t kVersion = 1;
constexpr size_t kTermsBytes = sizeof kVersion;
static_assert(QueuePairEnd::kBytes + kTermsBytes <= connect::LinkEnd::kMostBytes);

uint8_t neededAccess(Operation operation) {
  switch (operation) {
    case Operation::put: return kRemotePut;
    case Operation::get: return kRemoteGet;
    case Operation::fetchAdd:
    case Operation::compareSwap: return kRemoteAtomic;
  }
  return kAllAccess;
}

bool isAtomic(Operation operation) {
  return neededAccess(operation) == kRemoteAtomic;
}

bool isWithin(uint64_t offset, uint64_t length, uint64_t bytes) {
  return offset <= bytes && length <= bytes - offset;
}

ibv_wr_opcode opcodeOf(Operation operation) {
  switch (operation) {
    case Operation::put: return IBV_WR_RDMA_WRITE;
    case Operation::get: return IBV_WR_RDMA_READ;
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

/// What a far end says of itself, if that makes sense.
Result<QueuePairEnd> judged(connect::NodeId peer, const connect::LinkEnd& far) {
  std::span<const std::byte> terms = QueuePairEnd::termsOf(far);
  if (terms.size() != kTermsBytes || base::getLittle<uint16_t>(terms, 0) != kVersion) {
    return refusedEnd(
        peer, "it does not speak version " + std::to_string(kVersion) + " of one-sided memory");
  }
  Result<QueuePairEnd> end = QueuePairEnd::of(peer, far);
  if (end && end->maxReadsServed == 0) return refusedEnd(peer, "it serves no reads");
  return end;
}

}  // namespace

const char* nameOf(Operation operation) {
  switch (operation) {
    case Operation::put: return "put";
    case Operation::get: return "get";
    case Operation::fetchAdd: return "fetch-and-add";
    case Operation::compareSwap: return "compare-and-swap";
  }
  return "?";
}

// ------------------------------------------------------------------ the link

OneSidedLink::OneSidedLink(OneSided& service, Worker& worker, uint32_t place)
    : Link(worker, service, place),
      service_(service),
      operations_(SendQueue::places(worker.options().sendWorkRequests)) {}

Result<connect::LinkEnd> OneSidedLink::make(const connect::NewLink& link) {
  incarnation_ = link.incarnation;
  told_ = 0;
  int access = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ;
  if (worker().domain().hasAtomics()) access |= IBV_ACCESS_REMOTE_ATOMIC;
  Result<QueuePairEnd> made = makeQueuePair(link, {.sendPieces = 1,
                                                   .arrivals = worker().sendQueue(),
                                                   .receives = nullptr,
                                                   .remoteAccess = access});
  if (!made) return made.error();
  std::array<std::byte, kTermsBytes> terms{};
  base::putLittle(terms, 0, kVersion);
  return made->with(terms);
}

Result<void> OneSidedLink::connect(const connect::LinkEnd& far) {
  Result<QueuePairEnd> end = judged(peer(), far);
  if (!end) return end.error();
  if (Result<void> connected = connectTo(*end); !connected) return connected;
  listen();
  return {};
}

uint32_t OneSidedLink::roomInQueue() {
  requests().reclaim([](uint64_t) {});
  return requests().room();
}

Result<uint32_t> OneSidedLink::post(std::span<const Request> all) {
  Result<uint32_t> good = chainOf(all);
  if (!good) return good;
  uint32_t count = service_.reserve(std::min(*good, roomInQueue()));
  if (count == 0) return 0U;
  uint32_t taken = postChain(all.first(count));
  service_.giveBack(count - taken);
  return taken;
}

/// How many from the first on go together; the error is the first one's.
Result<uint32_t> OneSidedLink::chainOf(std::span<const Request> requests) const {
  uint32_t count = 0;
  for (uint64_t bytes = 0; count < requests.size() && count < kChain; count++) {
    Result<void> good = check(requests[count]);
    if (!good && count == 0) return good.error();
    bytes += requests[count].length;
    if (!good || (count > 0 && bytes > kChainBytes)) break;
  }
  return count;
}

/// All that can be known here. What the target's device finds costs the link.
Result<void> OneSidedLink::check(const Request& request) const {
  uint64_t length = isAtomic(request.operation) ? kAtomicBytes : request.length;
  if (request.length != length || length == 0) {
    return refuse(request, EINVAL, "a put or get has at least 1 byte, an atomic has 8");
  }
  const Domain& domain = worker().domain();
  if (length > domain.maxMessageBytes) {
    return refuse(
        request, EMSGSIZE,
        "the device moves " + std::to_string(domain.maxMessageBytes) + " bytes at a time");
  }
  if (isAtomic(request.operation) && !domain.hasAtomics()) {
    return refuse(request, ENOTSUP, "the device has no atomics");
  }
  if (request.key.owner != peer() || request.key.incarnation != incarnation_) {
    return refuse(request, ESTALE,
                  "the key is of node " + std::to_string(request.key.owner) +
                      " or of a former life of it; get a new one");
  }
  if ((request.key.access & neededAccess(request.operation)) == 0) {
    return refuse(request, EACCES, "the key does not allow it");
  }
  if (!isWithin(request.offset, length, request.key.length)) {
    return refuse(request, ERANGE,
                  "the key names " + std::to_string(request.key.length) + " bytes");
  }
  if (request.local == nullptr ||
      !isWithin(request.localOffset, length, request.local->bytes().size())) {
    return refuse(request, ERANGE,
                  "the local region has no " + std::to_string(length) + " bytes from " +
                      std::to_string(request.localOffset) + " on");
  }
  if (&request.local->domain() != &domain) {
    return refuse(request, EINVAL, "the local region is another domain's");
  }
  bool aligned = (request.key.address + request.offset) % kAtomicBytes == 0;
  if (isAtomic(request.operation) && !aligned) {
    return refuse(request, EINVAL, "an atomic's word lies at a multiple of 8");
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
    operations_[requests().place(number)] = {all[i].cookie, all[i].operation};
  }
  uint32_t taken = 0;
  static_cast<void>(Link::post(chain.data(), taken));  // what went wrong is in trouble()
  return taken;
}

void OneSidedLink::fill(ibv_send_wr& into, ibv_sge& piece, const Request& request) const {
  uint64_t target = request.key.address + request.offset;
  piece = {reinterpret_cast<uintptr_t>(request.local->bytes().data() + request.localOffset),
           static_cast<uint32_t>(request.length), request.local->lkey()};
  into = {};
  into.sg_list = &piece;
  into.num_sge = 1;
  into.opcode = opcodeOf(request.operation);
  // What is fenced may be what a get before it brings: it is not there yet.
  bool isThere = request.operation == Operation::put && !request.fence;
  bool fits = isThere && request.length <= maxInline();
  into.send_flags = IBV_SEND_SIGNALED | (fits ? unsigned{IBV_SEND_INLINE} : 0U) |
                    (request.fence ? unsigned{IBV_SEND_FENCE} : 0U);
  if (isAtomic(request.operation)) {
    into.wr.atomic = {target, request.operand, request.swap, request.key.rkey};
  } else {
    into.wr.rdma = {target, request.key.rkey};
  }
}

/// Each operation reports. One that has not before the next is one whose report was lost.
void OneSidedLink::completed(uint64_t number, ibv_wc_status status) {
  ibv_wc_status lost = status == IBV_WC_SUCCESS ? status : IBV_WC_WR_FLUSH_ERR;
  while (told_ + 1 < number) tell(++told_, lost);
  if (told_ < number) tell(++told_, status);
}

void OneSidedLink::reclaimable() {
  service_.publish();
}

void OneSidedLink::tell(uint64_t number, ibv_wc_status status) {
  const Open& told = operations_[requests().place(number)];
  service_.push({told.cookie, outcomeOf(told.operation, status), told.operation, status});
}

void OneSidedLink::ended(uint64_t number) {
  while (told_ < number) tell(++told_, IBV_WC_WR_FLUSH_ERR);
  service_.publish();
}

// ------------------------------------------------------------------ the service

OneSided::OneSided(Worker& worker)
    : worker_(worker), ring_(std::bit_ceil(worker.options().completions())) {}

std::unique_ptr<Link> OneSided::newLink(Worker& worker, uint32_t place) {
  return std::make_unique<OneSidedLink>(*this, worker, place);
}

Result<void> OneSided::judge(const connect::NewLink& link) const {
  if (link.offered == nullptr) return {};
  Result<QueuePairEnd> end = judged(link.peer, *link.offered);
  return end ? Result<void>() : Result<void>(end.error());
}

Error OneSided::noPlace(const connect::NewLink& link) const {
  return {"link to the memory of node " + std::to_string(link.peer),
          worker_.domain().selection.device.name(), ENOSPC,
          "all places for links of one-sided memory are in use; give it more, or close some"};
}

Result<uint32_t> OneSided::post(connect::LinkId link, std::span<const Request> all) {
  uint32_t posted = 0;
  while (posted < all.size()) {
    Result<uint32_t> taken = postChain(link, all.subspan(posted));
    if (!taken && posted == 0) return taken;
    if (!taken || *taken == 0) break;
    posted += *taken;
  }
  return posted;
}

/// The turn is given up after each chain: others post, or close the link.
Result<uint32_t> OneSided::postChain(connect::LinkId id, std::span<const Request> all) {
  Result<uint32_t> taken =
      Error{"post to link " + std::to_string(id), "", ENOTCONN, "it is not up (any more)"};
  Trouble trouble;
  worker_.inTurn(id, [&](Link& link) {
    if (&link.service() != this || link.state() != Link::State::Ready) return;
    taken = static_cast<OneSidedLink&>(link).post(all);
    trouble = link.trouble();
  });
  if (trouble.code != 0) worker_.failed(id, trouble);
  return taken;
}

uint32_t OneSided::reserve(uint32_t wanted) {
  uint64_t open = open_.load(std::memory_order_relaxed);
  uint64_t granted = 0;
  do {
    granted = std::min<uint64_t>(wanted, ring_.size() - open);
    // acquire pairs with giveBack()
  } while (!open_.compare_exchange_weak(open, open + granted, std::memory_order_acq_rel,
                                        std::memory_order_relaxed));
  return static_cast<uint32_t>(granted);
}

void OneSided::publish() {
  if (shown_.load(std::memory_order_relaxed) == filled_) return;
  // release pairs with poll(); seq_cst for Worker::wait(), which looks whether there is something
  shown_.store(filled_, std::memory_order_seq_cst);
  worker_.wakeIfArmed();
}

size_t OneSided::poll(std::span<Done> done) {
  uint64_t at = polled_.load(std::memory_order_relaxed);  // written by who polls alone
  uint64_t end = shown_.load(std::memory_order_acquire);
  size_t count = std::min<uint64_t>(done.size(), end - at);
  for (size_t i = 0; i < count; i++) done[i] = ring_[(at + i) & (ring_.size() - 1)];
  polled_.store(at + count, std::memory_order_relaxed);
  if (count != 0) giveBack(static_cast<uint32_t>(count));
  return count;
}

bool OneSided::hasArrivals() const {
  return shown_.load(std::memory_order_seq_cst) != polled_.load(std::memory_order_relaxed);
}

}  // namespace verbena::fabric
