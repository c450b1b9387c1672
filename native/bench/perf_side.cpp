// SPDX-License-Identifier: Apache-2.0
#include "perf_side.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "softnic/softnic.h"
#include "verbs/libibverbs.h"
#include "verbs/names.h"
#include "verbs/wiring.h"

namespace verbena::perf {
namespace {

constexpr uint8_t kPort = 1;
constexpr uint8_t kReads = 16;
/// The look whether the other process is still there is a system call: not after every empty poll.
constexpr uint32_t kPollsPerLook = 4096;
/// A bound against hanging: a process that ends closes its socket in a moment.
constexpr int kEndOfLineMs = 10'000;
constexpr int kAccess = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
                        IBV_ACCESS_REMOTE_ATOMIC;
constexpr int kRegionAccess = kAccess | verbs::kWithoutProof;

verbs::Context openDevice(const std::string& wanted) {
  bool soft = wanted == "softnic" || wanted == "softnic0";
  const verbs::Provider& provider = soft ? softnic::provider() : *must(verbs::libibverbs());
  for (const verbs::Device& device : must(verbs::Device::list(provider))) {
    if (soft || device.name() == wanted) return must(verbs::Context::open(device));
  }
  die("there is no device " + wanted);
}

/// The last RoCE v2 entry of the table is usually the routable one; 0 if there is none.
uint8_t chooseGid(const verbs::Context& context) {
  uint8_t chosen = 0;
  ibv_port_attr port = must(context.queryPort(kPort));
  for (int i = 0; i < port.gid_tbl_len && i < 256; i++) {
    base::Result<ibv_gid_entry> entry = context.queryGid(kPort, static_cast<uint32_t>(i));
    if (entry && entry->gid_type == IBV_GID_TYPE_ROCE_V2) chosen = static_cast<uint8_t>(i);
  }
  return chosen;
}

}  // namespace

void die(const std::string& sentence) {
  std::fprintf(stderr, "vbn-perf: %s\n", sentence.c_str());
  std::exit(1);
}

Side::Side(const Options& options, int line)
    : options_(options),
      line_(line),
      context_(openDevice(options.device)),
      pd_(must(verbs::ProtectionDomain::allocate(context_))),
      channel_(must(verbs::CompletionChannel::create(context_))),
      cq_(must(verbs::CompletionQueue::create(context_, static_cast<int>(2 * options.depth + 16),
                                              channel_, nullptr))),
      qp_(createQp()) {
  size_t bytes = std::max<size_t>(2 * size_t{options.sizeBytes}, 4096);
  if (options_.shareable) {
    shared_ = must(verbs::ShareableMemory::allocate(context_, bytes));
    bytes_ = shared_->bytes();
    region_ = must(verbs::MemoryRegion::registerRange(pd_, *shared_, kRegionAccess));
  } else {
    plain_.resize(bytes);
    bytes_ = plain_;
    region_ = must(verbs::MemoryRegion::registerRange(pd_, bytes_, kRegionAccess));
  }
  connect();
}

verbs::QueuePair Side::createQp() const {
  verbs::QueuePairOptions wanted;
  wanted.sendWorkRequests = options_.depth;
  wanted.receiveWorkRequests = options_.depth;
  return must(verbs::QueuePair::create(pd_, cq_, cq_, wanted));
}

void Side::connect() {
  gidIndex_ = chooseGid(context_);
  gid_ = must(context_.queryGid(kPort, gidIndex_)).gid;
  ibv_port_attr port = must(context_.queryPort(kPort));
  tell(Address{gid_, qp_.qpNum(), region_->rkey(), reinterpret_cast<uint64_t>(bytes_.data()),
               port.lid});
  peer_ = hear<Address>();
  must(qp_.toInit({.remoteAccess = kAccess}));
  verbs::RtrAttributes rtr;
  rtr.path.localGidIndex = gidIndex_;
  rtr.path.remoteGid = peer_.gid;
  rtr.path.remoteLid = peer_.lid;
  rtr.mtu = port.active_mtu;
  rtr.remoteQpNum = peer_.qpNum;
  rtr.maxReadsServed = kReads;
  must(qp_.toRtr(rtr));
  // A stream may be faster than its receiver for as long as it likes: that is what is measured.
  must(qp_.toRts({.rnrRetry = 7, .maxReadsIssued = kReads}));
  postReceives(options_.depth);
  meet();
}

void Side::postReceives(uint32_t count) {
  if (options_.operation != Operation::Send || count == 0) return;
  receiveSge_ = sge();
  receiveSge_.addr += options_.sizeBytes;
  receives_.resize(count);
  for (uint32_t i = 0; i < count; i++) {
    receives_[i] = {i, i + 1 < count ? &receives_[i + 1] : nullptr, &receiveSge_, 1};
  }
  ibv_recv_wr* bad = nullptr;
  if (ibv_post_recv(qp_.get(), receives_.data(), &bad) != 0) die("cannot post receives");
}

uint32_t Side::pollCompletions() {
  std::array<ibv_wc, 64> done;
  int count = cq_.poll(done);
  if (count < 0) die("the completion queue has failed");
  received_ = 0;
  for (size_t i = 0; i < static_cast<size_t>(count); i++) {
    check(done[i]);
    if (done[i].opcode == IBV_WC_RECV) received_++;
  }
  return static_cast<uint32_t>(count);
}

/// The device may notice that a process ends before its socket is closed.
void Side::awaitEndOfLine() const {
  pollfd line{line_, POLLRDHUP, 0};
  ::poll(&line, 1, kEndOfLineMs);
}

void Side::check(const ibv_wc& done) const {
  if (done.status == IBV_WC_SUCCESS) return;
  if (done.status == IBV_WC_RETRY_EXC_ERR) awaitEndOfLine();
  heard();  // that the other process has gone is the better explanation
  die(std::string("a request failed with ") + verbs::statusName(done.status));
}

uint32_t Side::takeCompletions() {
  if (options_.events) return sleepForCompletions();
  for (uint32_t polls = 1;; polls++) {
    uint32_t count = pollCompletions();
    if (count != 0) return count;
    if (polls % kPollsPerLook == 0) heard();
  }
}

uint32_t Side::sleepForCompletions() {
  while (true) {
    uint32_t count = pollCompletions();
    if (count != 0) return count;
    cq_.arm();
    count = pollCompletions();
    if (count != 0) return count;
    channel_.wait(std::chrono::milliseconds(100));
    static_cast<void>(channel_.takeEvent());
    if (heard()) return 0;
  }
}

void Side::post(ibv_send_wr& first) {
  ibv_send_wr* bad = nullptr;
  int rc = ibv_post_send(qp_.get(), &first, &bad);
  if (rc != 0) die(std::string("cannot post: ") + std::strerror(rc));
}

ibv_sge Side::sge() const {
  return {reinterpret_cast<uint64_t>(bytes_.data()), options_.sizeBytes, region_->lkey()};
}

ibv_send_wr Side::request(ibv_sge& list) const {
  ibv_send_wr made{};
  made.sg_list = &list;
  made.num_sge = 1;
  switch (options_.operation) {
    case Operation::Send: made.opcode = IBV_WR_SEND; return made;
    case Operation::Write: made.opcode = IBV_WR_RDMA_WRITE; break;
    case Operation::Read: made.opcode = IBV_WR_RDMA_READ; break;
    case Operation::FetchAdd: made.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD; break;
    case Operation::CompareSwap: made.opcode = IBV_WR_ATOMIC_CMP_AND_SWP; break;
  }
  if (options_.operation == Operation::FetchAdd || options_.operation == Operation::CompareSwap) {
    made.wr.atomic = {peer_.memory, 1, 1, peer_.rkey};
  } else {
    made.wr.rdma = {peer_.memory, peer_.rkey};
  }
  return made;
}

void Side::meet() const {
  tell('m');
  hear<char>();
}

bool Side::heard() const {
  char next = 0;
  ssize_t there = recv(line_, &next, 1, MSG_PEEK | MSG_DONTWAIT);
  if (there < 0 && errno == EAGAIN) return false;
  if (there != 1) throw PeerGone();
  return true;
}

void Side::write(const void* bytes, size_t count) const {
  if (send(line_, bytes, count, MSG_NOSIGNAL) != static_cast<ssize_t>(count)) throw PeerGone();
}

void Side::read(void* bytes, size_t count) const {
  if (recv(line_, bytes, count, MSG_WAITALL) != static_cast<ssize_t>(count)) throw PeerGone();
}

}  // namespace verbena::perf
