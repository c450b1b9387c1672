// SPDX-License-Identifier: Apache-2.0
#include "endpoint.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <thread>

#include "verbs/names.h"

namespace verbena::conformance {
namespace {

using std::chrono::steady_clock;
using verbs::CompletionQueue;
using verbs::ProtectionDomain;
using verbs::QueuePair;

constexpr uint32_t kFirstPsn = 0xfffff0;  // near the end: sequence numbers wrap within every test
constexpr uint32_t kPieces = 4;

std::byte pattern(size_t position, unsigned seed) {
  return static_cast<std::byte>((position * 131 + seed * 17 + (position >> 8)) & 0xff);
}

/// Work request and the pieces it points to.
struct Request {
  std::vector<ibv_sge> pieces;
  ibv_send_wr work{};
};

Request toRequest(const Send& send) {
  Request request{.pieces = send.pieces};
  ibv_send_wr& work = request.work;
  work.wr_id = send.id;
  work.opcode = send.opcode;
  work.send_flags = send.flags;
  work.imm_data = htonl(send.immediate);
  if (send.to != nullptr) {
    work.wr.ud = {send.to->get(), send.remoteQpNum, send.qkey};
  } else if (send.opcode == IBV_WR_ATOMIC_CMP_AND_SWP ||
             send.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
    work.wr.atomic = {send.remoteAddress, send.compareOrAdd, send.swap, send.remoteKey};
  } else {
    work.wr.rdma = {send.remoteAddress, send.remoteKey};
  }
  return request;
}

std::vector<Request> toChain(std::span<const Send> sends) {
  std::vector<Request> chain;
  for (const Send& send : sends) chain.push_back(toRequest(send));
  for (size_t i = 0; i < chain.size(); i++) {
    chain[i].work.sg_list = chain[i].pieces.data();
    chain[i].work.num_sge = static_cast<int>(chain[i].pieces.size());
    chain[i].work.next = i + 1 < chain.size() ? &chain[i + 1].work : nullptr;
  }
  return chain;
}

template <typename Look>
auto within(std::chrono::nanoseconds time, Look look) {
  steady_clock::time_point deadline = steady_clock::now() + time;
  auto seen = look();
  while (!seen && steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    seen = look();
  }
  return seen;
}

verbs::CompletionQueue makeQueue(const verbs::Context& context, const EndpointOptions& options) {
  if (options.channel == nullptr)
    return must(CompletionQueue::create(context, options.completions));
  return must(CompletionQueue::create(context, options.completions, *options.channel, nullptr));
}

verbs::QueuePairOptions toQueues(const EndpointOptions& options) {
  return {.type = options.type,
          .sendWorkRequests = options.sendWorkRequests,
          .receiveWorkRequests = options.receiveWorkRequests,
          .sendSge = kPieces,
          .receiveSge = kPieces,
          .inlineBytes = options.inlineBytes,
          .signalAll = options.signalAll,
          .sharedReceiveQueue = options.sharedReceiveQueue};
}

}  // namespace

Endpoint::Endpoint(const verbs::Context& context, const EndpointOptions& options)
    : ownPd_(options.pd == nullptr ? std::optional(must(ProtectionDomain::allocate(context)))
                                   : std::nullopt),
      pd_(options.pd == nullptr ? &*ownPd_ : options.pd),
      remoteAccess_(options.remoteAccess) {
  makeMemory(context, options);
  sendQueue_ = makeQueue(context, options);
  receiveQueue_ = makeQueue(context, options);
  queuePair_ = must(QueuePair::create(*pd_, *sendQueue_, *receiveQueue_, toQueues(options)));
}

void Endpoint::makeMemory(const verbs::Context& context, const EndpointOptions& options) {
  if (options.memory == MemoryKind::shareable) {
    shareable_ = must(verbs::ShareableMemory::allocate(context, options.memoryBytes));
    memory_ = shareable_->bytes();
    region_ = must(verbs::MemoryRegion::registerRange(*pd_, *shareable_, options.memoryAccess));
  } else {
    foreign_.resize(options.memoryBytes);
    memory_ = foreign_;
    region_ = must(verbs::MemoryRegion::registerRange(*pd_, memory_, options.memoryAccess));
  }
}

void Endpoint::initialize() {
  const verbs::Selection& selection = DeviceUnderTest::get().selection();
  must(queuePair_->toInit({.port = selection.port,
                           .pkeyIndex = selection.pkeyIndex,
                           .remoteAccess = remoteAccess_,
                           .qkey = kQkey}));
}

void Endpoint::connectTo(uint32_t remote, const LinkOptions& link) {
  connectTo(remote, link, loopback());
}

void Endpoint::connectTo(uint32_t remote, const LinkOptions& link, const verbs::Path& path) {
  initialize();
  must(queuePair_->toRtr({.path = path,
                          .mtu = DeviceUnderTest::get().selection().mtu,
                          .remoteQpNum = remote,
                          .receivePsn = kFirstPsn,
                          .maxReadsServed = link.reads,
                          .minRnrTimer = link.minRnrTimer}));
  must(queuePair_->toRts({.sendPsn = kFirstPsn,
                          .timeout = link.timeout,
                          .retryCount = link.retryCount,
                          .rnrRetry = link.rnrRetry,
                          .maxReadsIssued = link.reads}));
}

void Endpoint::open() {
  initialize();
  must(queuePair_->toRtr());
  must(queuePair_->toRts());
}

ibv_sge Endpoint::piece(size_t offset, size_t length) const {
  return {address(offset), static_cast<uint32_t>(length), region_->lkey()};
}

void Endpoint::fill(size_t offset, size_t length, unsigned seed) {
  for (size_t i = 0; i < length; i++) memory_[offset + i] = pattern(i, seed);
}

bool Endpoint::holds(size_t offset, size_t length, unsigned seed) const {
  for (size_t i = 0; i < length; i++) {
    if (memory_[offset + i] != pattern(i, seed)) return false;
  }
  return true;
}

uint64_t& Endpoint::word(size_t offset) {
  return *reinterpret_cast<uint64_t*>(memory_.data() + offset);
}

int Endpoint::tryPostReceive(uint64_t id, std::vector<ibv_sge> pieces) {
  ibv_recv_wr work{};
  work.wr_id = id;
  work.sg_list = pieces.data();
  work.num_sge = static_cast<int>(pieces.size());
  ibv_recv_wr* refused = nullptr;
  return ibv_post_recv(queuePair_->get(), &work, &refused);
}

void Endpoint::postReceive(uint64_t id, std::vector<ibv_sge> pieces) {
  ASSERT_EQ(tryPostReceive(id, std::move(pieces)), 0) << "receive " << id;
}

int Endpoint::tryPost(const Send& send) {
  return tryPostChain({&send, 1}).first;
}

void Endpoint::post(const Send& send) {
  ASSERT_EQ(tryPost(send), 0) << "send " << send.id;
}

std::pair<int, size_t> Endpoint::tryPostChain(std::span<const Send> sends) {
  std::vector<Request> chain = toChain(sends);
  ibv_send_wr* refused = nullptr;
  int code = ibv_post_send(queuePair_->get(), &chain.front().work, &refused);
  if (code == 0) return {0, chain.size()};
  size_t taken = 0;
  while (taken < chain.size() && &chain[taken].work != refused) taken++;
  return {code, taken};
}

void connect(Endpoint& one, Endpoint& other, const LinkOptions& link) {
  one.connectTo(other.queuePair().qpNum(), link);
  other.connectTo(one.queuePair().qpNum(), link);
}

verbs::Path loopback() {
  const verbs::Selection& selection = DeviceUnderTest::get().selection();
  return selection.pathTo(selection.gid.gid, selection.lid);
}

std::optional<ibv_wc> pollOnce(const CompletionQueue& queue) {
  ibv_wc done{};
  int count = queue.poll({&done, 1});
  EXPECT_GE(count, 0) << "the completion queue has failed";
  return count > 0 ? std::optional(done) : std::nullopt;
}

ibv_wc await(const CompletionQueue& queue) {
  std::optional<ibv_wc> done = within(kPatience, [&] { return pollOnce(queue); });
  if (!done) throw std::runtime_error("no completion came");
  return *done;
}

void expectSilence(const CompletionQueue& queue) {
  std::optional<ibv_wc> done = within(kSilence, [&] { return pollOnce(queue); });
  if (!done) return;
  ADD_FAILURE() << "completion of " << done->wr_id << ": " << verbs::statusName(done->status);
}

std::optional<verbs::AsyncEvent> await(const verbs::AsyncEvents& events) {
  if (!events.wait(kPatience)) return std::nullopt;
  return must(events.take());
}

void expectSuccess(const ibv_wc& done, uint64_t id, ibv_wc_opcode opcode) {
  EXPECT_EQ(done.wr_id, id);
  EXPECT_EQ(done.status, IBV_WC_SUCCESS) << verbs::statusName(done.status);
  EXPECT_EQ(done.opcode, opcode) << verbs::opcodeName(done.opcode);
}

void expectStatus(const ibv_wc& done, uint64_t id, ibv_wc_status status) {
  EXPECT_EQ(done.wr_id, id);
  EXPECT_EQ(done.status, status) << verbs::statusName(done.status) << " in place of "
                                 << verbs::statusName(status);
}

}  // namespace verbena::conformance
