// SPDX-License-Identifier: Apache-2.0
//
// Several ports of one open device: one for each completion vector that is used.
#include <atomic>
#include <thread>

#include "softnic/device/context.h"
#include "softnic/objects/faults.h"
#include "tcp_peers.h"

namespace verbena::softnic::testing {
namespace {

constexpr size_t kWhole = 1 << 16;
constexpr size_t kHalf = kWhole / 2;

verbs::CompletionQueue queueOf(const verbs::Context& context, uint32_t vector) {
  return must(verbs::CompletionQueue::create(context, 256, vector));
}

/// An open device with memory, and queue pairs on the vectors that are asked for.
struct Device {
  explicit Device(const verbs::Wiring& wiring = {})
      : context(must(verbs::Context::open(must(verbs::Device::list(provider(), wiring)).at(0)))),
        pd(must(verbs::ProtectionDomain::allocate(context))),
        memory(must(verbs::ShareableMemory::allocate(context, kWhole))),
        region(must(verbs::MemoryRegion::registerRange(pd, memory, kAccess))) {}

  static constexpr int kAccess = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
                                 IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;

  Context& port(uint32_t vector) const { return *contextOf(context.get()).ports.ofVector(vector); }

  verbs::Context context;
  verbs::ProtectionDomain pd;
  verbs::ShareableMemory memory;
  verbs::MemoryRegion region;
};

/// A queue pair of a device with the queues it uses.
struct Way {
  Way(const Device& of, uint32_t sends, uint32_t receives,
      const verbs::SharedReceiveQueue* srq = nullptr)
      : device(of),
        sendQueue(queueOf(of.context, sends)),
        receiveQueue(queueOf(of.context, receives)),
        qp(must(verbs::QueuePair::create(of.pd, sendQueue, receiveQueue,
                                         {.sharedReceiveQueue = srq}))) {}
  Way(const Device& of, uint32_t vector) : Way(of, vector, vector) {}

  void connect(const Way& peer) {
    must(qp.toInit({.remoteAccess = Device::kAccess & ~IBV_ACCESS_LOCAL_WRITE}));
    verbs::RtrAttributes rtr;
    rtr.remoteQpNum = peer.qp.qpNum();
    rtr.path.remoteGid = must(peer.device.context.queryGid(1, 0)).gid;
    must(qp.toRtr(rtr));
    must(qp.toRts({}));
  }

  ibv_sge piece(size_t offset, size_t bytes) const {
    return {reinterpret_cast<uint64_t>(device.memory.bytes().data() + offset),
            static_cast<uint32_t>(bytes), device.region.lkey()};
  }
  int post(ibv_wr_opcode opcode, const Way& far, size_t from, size_t to, size_t bytes,
           uint64_t id = 1) {
    ibv_sge sge = piece(from, bytes);
    ibv_send_wr wr{};
    wr.wr_id = id;
    wr.opcode = opcode;
    wr.sg_list = &sge;
    wr.num_sge = 1;
    wr.send_flags = IBV_SEND_SIGNALED;
    wr.wr.rdma.remote_addr = reinterpret_cast<uint64_t>(far.device.memory.bytes().data() + to);
    wr.wr.rdma.rkey = far.device.region.rkey();
    ibv_send_wr* bad = nullptr;
    return ibv_post_send(qp.get(), &wr, &bad);
  }
  int receive(uint64_t id, size_t offset, size_t bytes) {
    ibv_sge sge = piece(offset, bytes);
    ibv_recv_wr wr{};
    wr.wr_id = id;
    wr.sg_list = &sge;
    wr.num_sge = 1;
    ibv_recv_wr* bad = nullptr;
    return ibv_post_recv(qp.get(), &wr, &bad);
  }
  static ibv_wc next(const verbs::CompletionQueue& queue) {
    auto end = std::chrono::steady_clock::now() + kPatience;
    ibv_wc wc{};
    while (queue.poll(std::span(&wc, 1)) != 1) {
      if (std::chrono::steady_clock::now() > end) throw std::runtime_error("nothing completes");
    }
    return wc;
  }

  const Device& device;
  verbs::CompletionQueue sendQueue;
  verbs::CompletionQueue receiveQueue;
  verbs::QueuePair qp;
};

void join(Way& left, Way& right) {
  left.connect(right);
  right.connect(left);
}

TEST(SoftnicPorts, AreOnePerVectorThatIsUsed) {
  Folders folders;
  Device device;
  size_t open = 0;
  auto count = [&](Context&) { open++; };
  contextOf(device.context.get()).ports.forEach(count);
  EXPECT_EQ(open, 1U);
  Way first(device, 0), second(device, 5), third(device, 5);
  open = 0;
  contextOf(device.context.get()).ports.forEach(count);
  EXPECT_EQ(open, 2U);
  EXPECT_NE(slotOf(first.qp.qpNum()), slotOf(second.qp.qpNum()));
  EXPECT_EQ(slotOf(second.qp.qpNum()), slotOf(third.qp.qpNum()));
  EXPECT_EQ(second.qp.get()->context, device.context.get());
}

TEST(SoftnicPorts, AVectorThatIsNoneIsRefused) {
  Folders folders;
  Device device;
  ibv_context* context = device.context.get();
  for (int vector : {-1, context->num_comp_vectors}) {
    EXPECT_EQ(provider().create_cq(context, 16, nullptr, nullptr, vector), nullptr);
    EXPECT_EQ(errno, EINVAL);
  }
}

TEST(SoftnicPorts, KnowEveryRegionUnderTheSameKeys) {
  Folders folders;
  Device near, far;
  // Registered before its ports are there, and after.
  Way left(near, 1), right(far, 2);
  join(left, right);
  fill(near.memory.bytes().data(), 64, 1);
  ASSERT_EQ(left.post(IBV_WR_RDMA_WRITE, right, 0, 128, 64), 0);
  EXPECT_EQ(Way::next(left.sendQueue).status, IBV_WC_SUCCESS);
  EXPECT_TRUE(holds(far.memory.bytes().data() + 128, 64, 1));
  auto later = must(verbs::MemoryRegion::registerRange(far.pd, far.memory.bytes().subspan(kHalf),
                                                       Device::kAccess));
  uint32_t key = later.rkey();
  EXPECT_EQ(far.port(2).regions.withKey(key)->addr, far.memory.bytes().data() + kHalf);
  must(later.deregister());
  EXPECT_EQ(far.port(2).regions.withKey(key), nullptr);
  EXPECT_EQ(far.port(0).regions.withKey(key), nullptr);
}

TEST(SoftnicPorts, ARevokedKeyIsDeadInEachOfThem) {
  Folders folders;
  Device near, far;
  Way left(near, 1), right(far, 2);
  join(left, right);
  uint32_t key = far.region.rkey();
  must(far.region.deregister());
  ibv_sge sge = left.piece(0, 8);
  ibv_send_wr wr{}, *bad = nullptr;
  wr.opcode = IBV_WR_RDMA_WRITE;
  wr.sg_list = &sge;
  wr.num_sge = 1;
  wr.send_flags = IBV_SEND_SIGNALED;
  wr.wr.rdma.remote_addr = reinterpret_cast<uint64_t>(far.memory.bytes().data());
  wr.wr.rdma.rkey = key;
  ASSERT_EQ(ibv_post_send(left.qp.get(), &wr, &bad), 0);
  EXPECT_EQ(Way::next(left.sendQueue).status, IBV_WC_REM_ACCESS_ERR);
}

TEST(SoftnicPorts, OfOneDeviceTalkToEachOther) {
  Folders folders;
  Device device;
  Way left(device, 0), right(device, 1);
  join(left, right);
  fill(device.memory.bytes().data(), 100, 7);
  ASSERT_EQ(right.receive(2, kHalf, 100), 0);
  ASSERT_EQ(left.post(IBV_WR_SEND, right, 0, 0, 100), 0);
  EXPECT_EQ(Way::next(right.receiveQueue).status, IBV_WC_SUCCESS);
  EXPECT_EQ(Way::next(left.sendQueue).status, IBV_WC_SUCCESS);
  EXPECT_TRUE(holds(device.memory.bytes().data() + kHalf, 100, 7));
}

/// The two completion queues of a queue pair may be of two vectors.
TEST(SoftnicPorts, AQueuePairMayReceiveAtAnotherOnesQueue) {
  Folders folders;
  Device near, far;
  Way left(near, 0, 3), right(far, 0, 3);
  join(left, right);
  for (uint64_t round = 0; round < 100; round++) {
    ASSERT_EQ(right.receive(round, kHalf, 64), 0);
    ASSERT_EQ(left.post(IBV_WR_SEND, right, 0, 0, 64, round), 0);
    EXPECT_EQ(Way::next(right.receiveQueue).wr_id, round);
    EXPECT_EQ(Way::next(left.sendQueue).wr_id, round);
  }
}

/// Queue pairs of two vectors take receives from one queue, by two threads at the same time: each
/// is taken once.
TEST(SoftnicPorts, ShareReceives) {
  constexpr uint64_t kMessages = 2000;
  Folders folders;
  Device near, far;
  auto srq = must(verbs::SharedReceiveQueue::create(far.pd, 64, 1));
  Way left[2] = {{near, 0}, {near, 1}};
  Way right[2] = {{far, 0, 0, &srq}, {far, 1, 1, &srq}};
  for (int i = 0; i < 2; i++) join(left[i], right[i]);
  std::atomic<uint64_t> posted{0};
  std::vector<std::atomic<int>> taken(2 * kMessages + 64);
  auto postOne = [&] {
    ibv_recv_wr wr{}, *bad = nullptr;
    wr.wr_id = posted++;
    std::byte* place = far.memory.bytes().data() + wr.wr_id % (kWhole / 64) * 64;
    ibv_sge sge{reinterpret_cast<uint64_t>(place), 64, far.region.lkey()};
    wr.sg_list = &sge;
    wr.num_sge = 1;
    return ibv_post_srq_recv(srq.get(), &wr, &bad);
  };
  for (int i = 0; i < 64; i++) ASSERT_EQ(postOne(), 0);
  auto drive = [&](int way) {
    uint64_t sent = 0, done = 0, received = 0;
    while (done < kMessages || received < kMessages) {
      if (sent < kMessages && sent - received < 16) {
        if (left[way].post(IBV_WR_SEND, right[way], 0, 0, 64) == 0) sent++;
      }
      ibv_wc wc{};
      if (left[way].sendQueue.poll(std::span(&wc, 1)) == 1) {
        if (wc.status != IBV_WC_SUCCESS) return false;
        done++;
      }
      if (right[way].receiveQueue.poll(std::span(&wc, 1)) == 1) {
        if (wc.status != IBV_WC_SUCCESS) return false;
        taken[wc.wr_id]++;
        received++;
        if (postOne() != 0) return false;
      }
    }
    return true;
  };
  std::atomic<bool> second{false};
  std::thread other([&] { second = drive(1); });
  EXPECT_TRUE(drive(0));
  other.join();
  EXPECT_TRUE(second);
  uint64_t all = 0;
  for (const auto& each : taken) {
    EXPECT_LE(each, 1);
    all += static_cast<uint64_t>(each);
  }
  EXPECT_EQ(all, 2 * kMessages);
}

/// The queue pairs of all ports end when the device fails at one.
TEST(SoftnicPorts, FailTogether) {
  Folders folders;
  Device near, far;
  Way first(near, 0), second(near, 1), third(far, 0), fourth(far, 0);
  join(first, third);
  join(second, fourth);
  ASSERT_EQ(second.receive(9, 0, 64), 0);
  std::string error;
  ASSERT_TRUE(setFaults(near.context.get(), "send:1=device-fatal", error)) << error;
  ASSERT_EQ(first.post(IBV_WR_SEND, third, 0, 0, 8), 0);
  EXPECT_EQ(Way::next(first.sendQueue).status, IBV_WC_WR_FLUSH_ERR);
  EXPECT_EQ(Way::next(second.receiveQueue).status, IBV_WC_WR_FLUSH_ERR);
  ibv_async_event event{};
  ASSERT_EQ(provider().get_async_event(near.context.get(), &event), 0);
  EXPECT_EQ(event.event_type, IBV_EVENT_DEVICE_FATAL);
  provider().ack_async_event(&event);
}

/// Threads that drive two ports while regions come and go, and further ports are opened.
TEST(SoftnicPorts, WorkWhileRegionsAndPortsComeAndGo) {
  Folders folders;
  Device near, far;
  std::atomic<bool> over{false};
  std::atomic<int> wrong{0};
  auto drive = [&](uint32_t vector) {
    Way left(near, vector), right(far, vector);
    join(left, right);
    for (size_t round = 0; !over || round < 100; round++) {
      size_t place = vector * 4096 + round % 32 * 64;
      ibv_wr_opcode opcode = round % 2 == 0 ? IBV_WR_RDMA_WRITE : IBV_WR_RDMA_READ;
      if (left.post(opcode, right, place, place, 64) != 0) wrong++;
      if (Way::next(left.sendQueue).status != IBV_WC_SUCCESS) wrong++;
    }
  };
  std::thread one([&] { drive(1); }), two([&] { drive(2); });
  for (uint32_t round = 0; round < 200; round++) {
    auto passing = must(verbs::MemoryRegion::registerRange(
        far.pd, far.memory.bytes().subspan(kHalf), Device::kAccess));
    if (round % 20 == 0) queueOf(far.context, 3 + round / 20);
  }
  over = true;
  one.join();
  two.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace verbena::softnic::testing
