// SPDX-License-Identifier: Apache-2.0
#include "port_fuzz.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "../ends.h"
#include "softnic/device/context.h"

namespace verbena::softnic::testing {
namespace {

constexpr uint32_t kPeerQpn = 0x777777;
constexpr uint32_t kFirstPsn = 0xfffffe;  // goes round early
constexpr size_t kReceives = 4;
constexpr size_t kReceiveBytes = 17'000;  // more than a packet
constexpr size_t kTargetBytes = 40'000;
constexpr size_t kGuardBytes = 4096;
constexpr auto kTaken = std::byte{0xee};  // of what the application has been given

void insist(bool condition) {
  if (!condition) std::abort();
}

/// A link whose other end is the fuzzer: it writes into `toUs`, and reads nothing of `fromUs`. All
/// calls under the context's lock.
class HostileLink : public Link {
 public:
  HostileLink() { begin(); }

  void begin() {
    toUs_ = std::make_unique<RingMemory>();
    fromUs_ = std::make_unique<RingMemory>();
    in = RingReader(toUs_.get());
    out = RingWriter(fromUs_.get());
    peer_ = RingWriter(toUs_.get());
    state = LinkState::Open;
    urgent = used = false;
    pending.clear();
    drops.clear();
  }

  bool peerGone() override { return false; }
  void publish() override {
    out.publish();
    fromUs_->head = fromUs_->tail.load();
  }
  void release() override { in.release(); }

  void say(const PacketHeader& header, const void* extension, size_t extensionBytes) {
    std::byte* place = peer_.reserve(header.sizeBytes, 0);
    if (place == nullptr) return;
    std::memset(place, 0x55, header.sizeBytes);
    std::memcpy(place, &header, sizeof header);
    if (extensionBytes != 0) std::memcpy(place + sizeof header, extension, extensionBytes);
    peer_.commit(header.sizeBytes);
    peer_.publish();
  }

 private:
  std::unique_ptr<RingMemory> toUs_;
  std::unique_ptr<RingMemory> fromUs_;
  RingWriter peer_;
};

/// What the bytes of one step mean; each field by what it is used for.
struct Step {
  explicit Step(const uint8_t* b)
      : action(b[0] % 16),
        flags(b[1]),
        psnOffset(static_cast<int8_t>(b[2])),
        place(b[3]),
        key(b[4]),
        length(static_cast<uint32_t>(b[5] | b[6] << 8)),
        detail(b[7]) {}

  unsigned action;  // up to 11: a packet of that kind; above: something that we do ourselves
  uint8_t flags;
  int8_t psnOffset;
  uint8_t place;
  uint8_t key;
  uint32_t length;
  uint8_t detail;
};

/// Our side: memory the peer may use, receive buffers it may only send into, and guards around
/// both.
class Victim {
 public:
  Victim() : end_({.shareable = false, .bytes = 64}) {
    memory_.resize(kReceives * kReceiveBytes + kTargetBytes + 3 * kGuardBytes);
    target_.emplace(must(verbs::MemoryRegion::registerRange(
        end_.pd, std::span(target(), kTargetBytes), end_.options.access)));
    receives_.emplace(must(verbs::MemoryRegion::registerRange(
        end_.pd, std::span(receives(), kReceives * kReceiveBytes), IBV_ACCESS_LOCAL_WRITE)));
    link_ = std::make_shared<HostileLink>();
    std::lock_guard guard(context().lock);
    context().links.add(link_);
  }

  void begin() {
    must(end_.qp.toReset());
    look();  // a timer may have ended the former game's queue pair behind its last look
    std::memset(memory_.data(), 0, memory_.size());
    {
      std::lock_guard guard(context().lock);
      link_->begin();
    }
    must(end_.qp.toInit({.remoteAccess = end_.options.access}));
    verbs::RtrAttributes rtr{.remoteQpNum = kPeerQpn, .receivePsn = kFirstPsn, .maxReadsServed = 4};
    rtr.path.remoteGid = end_.gid();
    must(end_.qp.toRtr(rtr));
    {
      std::lock_guard guard(context().lock);
      qp().link = link_;
    }
    must(end_.qp.toRts({.sendPsn = kFirstPsn, .rnrRetry = 7, .maxReadsIssued = 4}));
    posted_ = 0;
    taken_ = {};
    look();
    context().asyncEvents.withdraw([](const ibv_async_event&) { return true; });
  }

  void take(const Step& step) {
    switch (step.action) {
      case 12: return postReceive();
      case 13: return post(step, IBV_WR_SEND);
      case 14: return post(step, IBV_WR_RDMA_READ);
      case 15: return post(step, IBV_WR_ATOMIC_FETCH_AND_ADD);
      default: hear(step);
    }
  }

  /// Lets everything happen that is due, and takes the completions.
  void look() {
    {
      std::lock_guard guard(context().lock);
      context().progress();
    }
    std::array<ibv_wc, 16> done;
    while (true) {
      int count = end_.cq.poll(done);
      if (count <= 0) break;
      for (int i = 0; i < count; i++) note(done[static_cast<size_t>(i)]);
    }
  }

  /// Whether everything is still as the peer had a right to leave it.
  void check() {
    for (std::byte* guard : {memory_.data(), target() + kTargetBytes, receive(kReceives)}) {
      insist(all(guard, kGuardBytes, std::byte{0}));
    }
    for (size_t i = 0; i < kReceives; i++) {
      if (taken_[i]) insist(all(receive(i), kReceiveBytes, kTaken));
      if (i >= posted_) insist(all(receive(i), kReceiveBytes, std::byte{0}));
    }
  }

 private:
  static constexpr uint64_t kSendId = 1000;

  Context& context() const { return contextOf(end_.context.get()); }
  QueuePair& qp() const { return *static_cast<QueuePair*>(end_.qp.get()); }
  std::byte* target() { return memory_.data() + kGuardBytes; }
  std::byte* receives() { return target() + kTargetBytes + kGuardBytes; }
  std::byte* receive(size_t i) { return receives() + i * kReceiveBytes; }

  void postReceive() {
    if (posted_ == kReceives) return;
    ibv_sge list{reinterpret_cast<uint64_t>(receive(posted_)), kReceiveBytes, receives_->lkey()};
    ibv_recv_wr request{posted_, nullptr, &list, 1};
    ibv_recv_wr* bad = nullptr;
    if (ibv_post_recv(end_.qp.get(), &request, &bad) == 0) posted_++;
  }

  void post(const Step& step, ibv_wr_opcode opcode) {
    ibv_sge list{reinterpret_cast<uint64_t>(target() + 8 * step.place), step.length % 30'000,
                 target_->lkey()};
    if (opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) list.length = 8;
    ibv_send_wr request = end_.request(opcode, kSendId, &list);
    if (opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) request.wr.atomic = {8, 1, 1, 1};
    static_cast<void>(end_.post(request));
  }

  void hear(const Step& step) {
    PacketHeader header{};
    header.kind = static_cast<PacketKind>(step.action);
    header.flags = step.flags;
    header.destQpn = step.detail == 255 ? step.length : end_.qp.qpNum();
    header.srcQpn = kPeerQpn;
    header.psn = psn(step);
    header.immediate = step.detail | uint32_t{step.key} << 8;
    uint64_t address = reinterpret_cast<uint64_t>(target()) + 256 * uint64_t{step.place};
    uint32_t rkey = step.key == 1 ? receives_->rkey() : target_->rkey() ^ (step.key >> 6);
    RdmaHeader rdma{address, rkey, step.length};
    AtomicHeader atomic{address, 1, 2, rkey, 0};
    DatagramHeader datagram{};
    const void* extension = &rdma;
    size_t extensionBytes = 0;
    size_t payload = 0;
    bool last = (step.flags & kLast) != 0;
    size_t data = last ? std::min<size_t>(step.length, kFragmentBytes) : kFragmentBytes;
    switch (header.kind) {
      case PacketKind::Write:
        extensionBytes = (step.flags & kFirst) != 0 ? sizeof rdma : 0;
        payload = (step.flags & kPlaced) != 0 ? 0 : data;
        break;
      case PacketKind::ReadRequest: extensionBytes = sizeof rdma; break;
      case PacketKind::Atomic:
        extension = &atomic;
        extensionBytes = sizeof atomic;
        break;
      case PacketKind::AtomicResponse: payload = sizeof(uint64_t); break;
      case PacketKind::Datagram:
        extension = &datagram;
        extensionBytes = sizeof datagram;
        payload = std::min<size_t>(step.length, kMaxDatagramBytes);
        break;
      case PacketKind::Send:
      case PacketKind::ReadResponse: payload = data; break;
      default: break;
    }
    header.sizeBytes = static_cast<uint32_t>(sizeof header + extensionBytes + payload);
    std::lock_guard guard(context().lock);
    link_->say(header, extension, extensionBytes);
  }

  /// Near the number that would be right.
  uint32_t psn(const Step& step) {
    std::lock_guard guard(context().lock);
    bool answers = step.action == 4 || (step.action >= 6 && step.action <= 9);
    uint32_t right =
        answers ? psnPlus(qp().requester.firstPsn,
                          static_cast<uint32_t>(qp().sends.done - qp().requester.indexOfFirstPsn))
                : qp().responder.expectedPsn;
    return psnPlus(right, static_cast<uint32_t>(step.psnOffset / 32));
  }

  void note(const ibv_wc& done) {
    if (done.wr_id >= kReceives) return;
    insist(done.wr_id < posted_);
    insist(!taken_[done.wr_id]);  // nothing completes twice
    taken_[done.wr_id] = true;
    if (done.status == IBV_WC_SUCCESS)
      insist(done.opcode != IBV_WC_RECV || done.byte_len <= kReceiveBytes);
    std::memset(receive(done.wr_id), static_cast<int>(kTaken), kReceiveBytes);
  }

  static bool all(const std::byte* bytes, size_t count, std::byte value) {
    return std::all_of(bytes, bytes + count, [value](std::byte b) { return b == value; });
  }

  Folders folders_;
  End end_;
  std::vector<std::byte> memory_;
  std::optional<verbs::MemoryRegion> target_;
  std::optional<verbs::MemoryRegion> receives_;
  std::shared_ptr<HostileLink> link_;
  size_t posted_ = 0;
  std::array<bool, kReceives> taken_{};
};

}  // namespace

void playHostilePeer(const uint8_t* bytes, size_t count) {
  static Victim victim;
  victim.begin();
  for (size_t at = 0; at + kStepBytes <= count; at += kStepBytes) {
    victim.take(Step(bytes + at));
    victim.look();
  }
  victim.check();
}

}  // namespace verbena::softnic::testing

#ifdef VERBENA_FUZZER_MAIN
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  verbena::softnic::testing::playHostilePeer(bytes, count);
  return 0;
}
#endif
