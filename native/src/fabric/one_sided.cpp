// SPDX-License-Identifier: Apache-2.0
#include "fabric/one_sided.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>

#include "fabric/worker.h"

namespace verbena::fabric {
namespace {

using base::Error;
using base::Result;

constexpr uint64_t kAtomicBytes = 8;
/// Of a small put; devices that have less give less.
constexpr uint32_t kInlineBytes[] = {220, 64};
constexpr int kRemoteAccess =
    IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;

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

/// What a completion that is no good says of the request itself: a device that answers has refused
/// it; of one that does not nobody knows.
Done::Outcome outcomeOf(ibv_wc_status status) {
  switch (status) {
    case IBV_WC_SUCCESS: return Done::Outcome::done;
    case IBV_WC_REM_ACCESS_ERR:
    case IBV_WC_REM_INV_REQ_ERR:
    case IBV_WC_LOC_PROT_ERR:
    case IBV_WC_LOC_LEN_ERR:
    case IBV_WC_LOC_QP_OP_ERR: return Done::Outcome::refused;
    default: return Done::Outcome::unknown;
  }
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
    : Link(worker, place),
      service_(service),
      open_(SendQueue::places(worker.options().sendWorkRequests)) {}

Result<connect::LinkEnd> OneSidedLink::make(const connect::NewLink& link) {
  incarnation_ = link.incarnation;
  told_ = 0;
  lastOperation_.store(0, std::memory_order_relaxed);
  Result<QueuePairEnd> made = makeQueuePair(link, {.sendPieces = 1,
                                                   .inlineBytes = kInlineBytes,
                                                   .arrivals = worker().sendQueue(),
                                                   .receives = nullptr,
                                                   .remoteAccess = kRemoteAccess});
  if (!made) return made.error();
  return made->with({});
}

Result<void> OneSidedLink::connect(const connect::LinkEnd& far) {
  Result<QueuePairEnd> end = QueuePairEnd::of(peer(), far);
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
  uint32_t posted = 0;
  while (posted < all.size()) {
    std::span<const Request> left = all.subspan(posted);
    Result<size_t> good = checked(left);
    // What stands behind one that is refused is told of when that one comes first.
    if (!good) return posted == 0 ? Result<uint32_t>(good.error()) : Result<uint32_t>(posted);
    uint32_t count = service_.reserve(std::min(static_cast<uint32_t>(*good), roomInQueue()));
    if (count == 0) break;
    Result<uint32_t> taken = postChain(left.first(count));
    uint32_t refused = count - (taken ? *taken : 0);
    service_.giveBack(refused);
    if (!taken) return taken;
    posted += *taken;
    if (refused != 0) break;
  }
  return posted;
}

/// How many from the first on can be posted together; the error is the first one's.
Result<size_t> OneSidedLink::checked(std::span<const Request> requests) const {
  size_t most = std::min<size_t>(requests.size(), kChain);
  for (size_t i = 0; i < most; i++) {
    if (Result<void> good = check(requests[i]); !good) {
      return i == 0 ? Result<size_t>(good.error()) : Result<size_t>(i);
    }
  }
  return most;
}

/// All that can be known here. What the target's device finds costs the link.
Result<void> OneSidedLink::check(const Request& request) const {
  uint64_t length = isAtomic(request.operation) ? kAtomicBytes : request.length;
  if (request.length != length || length == 0 || length > UINT32_MAX / 2) {
    return refuse(request, EINVAL, "a put or get has 1 to 2^31 - 1 bytes, an atomic has 8");
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

Result<uint32_t> OneSidedLink::postChain(std::span<const Request> all) {
  std::array<ibv_send_wr, kChain> chain;
  std::array<ibv_sge, kChain> pieces;
  for (size_t i = 0; i < all.size(); i++) {
    fill(chain[i], pieces[i], all[i]);
    chain[i].next = i + 1 < all.size() ? &chain[i + 1] : nullptr;
    uint64_t number = requests().posted() + i + 1;
    open_[requests().place(number)] = {all[i].cookie, all[i].operation};
  }
  chain[all.size() - 1].send_flags |= IBV_SEND_SIGNALED;
  // Before they are posted: they may be done before that call returns.
  lastOperation_.store(requests().posted() + all.size(), std::memory_order_relaxed);
  uint32_t taken = 0;
  bool good = Link::post(chain.data(), taken);
  lastOperation_.store(requests().posted(), std::memory_order_relaxed);
  if (good) return taken;
  std::string trouble = takeTrouble();
  worker().failed(*this, trouble);
  if (taken == 0) return refuse(all.front(), EIO, trouble);
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
  bool fits = request.operation == Operation::put && request.length <= maxInline();
  into.send_flags = (fits ? unsigned{IBV_SEND_INLINE} : 0U) |
                    (request.fence ? unsigned{IBV_SEND_FENCE} : 0U);
  if (isAtomic(request.operation)) {
    into.wr.atomic = {target, request.operand, request.swap, request.key.rkey};
  } else {
    into.wr.rdma = {target, request.key.rkey};
  }
}

/// Requests of a link are done in order, so those before one that is told of are done. The last
/// request of a queue pair is no operation.
void OneSidedLink::completed(uint64_t number, ibv_wc_status status) {
  uint64_t until = std::min(number, lastOperation_.load(std::memory_order_relaxed));
  if (until < number) status = IBV_WC_SUCCESS;
  while (told_ + 1 < until) tell(++told_, Done::Outcome::done, IBV_WC_SUCCESS);
  if (told_ < until) tell(++told_, outcomeOf(status), status);
}

void OneSidedLink::tell(uint64_t number, Done::Outcome outcome, ibv_wc_status status) {
  const Open& open = open_[requests().place(number)];
  service_.push({open.cookie, outcome, open.operation, status});
}

/// What has not been told of will not be: nobody knows what became of it.
void OneSidedLink::ended() {
  while (told_ < lastOperation_.load(std::memory_order_relaxed)) {
    tell(++told_, Done::Outcome::unknown, IBV_WC_WR_FLUSH_ERR);
  }
}

// ------------------------------------------------------------------ the service

OneSided::OneSided(Worker& worker)
    : worker_(worker), ring_(std::bit_ceil(worker.options().completions())) {}

std::unique_ptr<Link> OneSided::newLink(Worker& worker, uint32_t place) {
  return std::make_unique<OneSidedLink>(*this, worker, place);
}

Error OneSided::noPlace(const connect::NewLink& link) const {
  return {"link to the memory of node " + std::to_string(link.peer),
          worker_.domain().selection.device.name(), ENOSPC,
          "all " + std::to_string(worker_.options().maxLinks) +
              " links of this worker are in use; raise maxLinks, or close some"};
}

Result<uint32_t> OneSided::post(connect::LinkId id, std::span<const Request> requests) {
  Result<uint32_t> posted =
      Error{"post to link " + std::to_string(id), "", ENOTCONN, "it is not up (any more)"};
  worker_.inTurn(id, [&](Link& link) {
    if (link.state() == Link::State::Ready) {
      posted = static_cast<OneSidedLink&>(link).post(requests);
    }
  });
  return posted;
}

uint32_t OneSided::reserve(uint32_t wanted) {
  uint64_t open = open_.load(std::memory_order_relaxed);
  uint64_t granted = 0;
  do {
    granted = std::min<uint64_t>(wanted, ring_.size() - open);
  } while (!open_.compare_exchange_weak(open, open + granted, std::memory_order_relaxed));
  return static_cast<uint32_t>(granted);
}

void OneSided::push(const Done& done) {
  uint64_t at = pushed_.load(std::memory_order_relaxed);
  ring_[at & (ring_.size() - 1)] = done;
  // release pairs with poll(); seq_cst for Worker::wait(), which looks whether there is something
  pushed_.store(at + 1, std::memory_order_seq_cst);
  worker_.wakeIfArmed();
}

size_t OneSided::poll(std::span<Done> done) {
  uint64_t at = polled_.load(std::memory_order_relaxed);
  uint64_t end = pushed_.load(std::memory_order_acquire);
  size_t count = std::min<uint64_t>(done.size(), end - at);
  for (size_t i = 0; i < count; i++) done[i] = ring_[(at + i) & (ring_.size() - 1)];
  polled_.store(at + count, std::memory_order_release);  // before the places are given back
  giveBack(static_cast<uint32_t>(count));
  return count;
}

bool OneSided::hasArrivals() const {
  return pushed_.load(std::memory_order_seq_cst) != polled_.load(std::memory_order_relaxed);
}

}  // namespace verbena::fabric
