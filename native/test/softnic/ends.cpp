// SPDX-License-Identifier: Apache-2.0
#include "ends.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace verbena::softnic::testing {
namespace {

using Clock = std::chrono::steady_clock;

verbs::Context openDevice(const verbs::Wiring& wiring) {
  std::vector<verbs::Device> devices = must(verbs::Device::list(provider(), wiring));
  return must(verbs::Context::open(devices.at(0)));
}

verbs::CompletionQueue createCq(const End& end) {
  if (end.channel) {
    return must(
        verbs::CompletionQueue::create(end.context, end.options.cqEntries, *end.channel, nullptr));
  }
  return must(verbs::CompletionQueue::create(end.context, end.options.cqEntries));
}

verbs::QueuePair createQp(const End& end) {
  verbs::QueuePairOptions options = end.options.qp;
  if (end.srq) options.sharedReceiveQueue = &*end.srq;
  return must(verbs::QueuePair::create(end.pd, end.cq, end.cq, options));
}

template <typename T, typename Make>
std::optional<T> when(bool wanted, Make make) {
  if (!wanted) return std::nullopt;
  return must(make());
}

}  // namespace

Folders::Folders() {
  for (auto [path, variable] :
       {std::pair{&path_, "VERBENA_SOFTNIC_DIR"}, std::pair{&memory_, "VERBENA_MEMORY_DIR"}}) {
    std::string pattern = "/dev/shm/softnic-test-XXXXXX";
    *path = mkdtemp(pattern.data());
    setenv(variable, path->c_str(), 1);
  }
}

Folders::~Folders() {
  unsetenv("VERBENA_SOFTNIC_DIR");
  unsetenv("VERBENA_MEMORY_DIR");
  std::filesystem::remove_all(path_);
  std::filesystem::remove_all(memory_);
}

DevicesAtomics::DevicesAtomics() {
  setenv("VERBENA_SOFTNIC_ATOMICS", "device", 1);
}

DevicesAtomics::~DevicesAtomics() {
  unsetenv("VERBENA_SOFTNIC_ATOMICS");
}

End::End(const EndOptions& chosen)
    : options(chosen),
      context(openDevice(options.wiring)),
      pd(must(verbs::ProtectionDomain::allocate(context))),
      channel(when<verbs::CompletionChannel>(
          options.channel, [&] { return verbs::CompletionChannel::create(context); })),
      cq(createCq(*this)),
      srq(when<verbs::SharedReceiveQueue>(
          options.srqEntries != 0,
          [&] { return verbs::SharedReceiveQueue::create(pd, options.srqEntries, 1); })),
      qp(createQp(*this)) {
  if (options.shareable) {
    shared = must(verbs::ShareableMemory::allocate(context, options.bytes));
    buffer = shared->bytes();
    region = must(
        verbs::MemoryRegion::registerRange(pd, *shared, options.access | options.regionOptions));
  } else {
    own.resize(options.bytes);
    buffer = own;
    region = must(
        verbs::MemoryRegion::registerRange(pd, buffer, options.access | options.regionOptions));
  }
}

int End::postReceive(uint64_t wrId, size_t offset, size_t length) const {
  ibv_sge list = sge(offset, length);
  ibv_recv_wr request{wrId, nullptr, &list, 1};
  ibv_recv_wr* bad = nullptr;
  if (srq) return ibv_post_srq_recv(srq->get(), &request, &bad);
  return ibv_post_recv(qp.get(), &request, &bad);
}

ibv_send_wr End::request(ibv_wr_opcode opcode, uint64_t wrId, ibv_sge* sge) const {
  ibv_send_wr made{};
  made.wr_id = wrId;
  made.sg_list = sge;
  made.num_sge = sge != nullptr ? 1 : 0;
  made.opcode = opcode;
  made.send_flags = IBV_SEND_SIGNALED;
  return made;
}

int End::post(ibv_send_wr& made) const {
  ibv_send_wr* bad = nullptr;
  return ibv_post_send(qp.get(), &made, &bad);
}

int End::send(uint64_t wrId, size_t offset, size_t length) const {
  ibv_sge list = sge(offset, length);
  ibv_send_wr made = request(IBV_WR_SEND, wrId, &list);
  return post(made);
}

std::vector<ibv_wc> End::wait(size_t count) const {
  std::vector<ibv_wc> got;
  Clock::time_point end = Clock::now() + kPatience;
  while (got.size() < count && Clock::now() < end) {
    ibv_wc completion;
    if (cq.poll({&completion, 1}) == 1) got.push_back(completion);
  }
  if (got.size() == count) return got;
  // Not to wait as long for each that the test asks for next.
  throw std::runtime_error("only " + std::to_string(got.size()) + " of " + std::to_string(count) +
                           " completions within " + std::to_string(kPatience.count()) + " s");
}

ibv_wc End::waitOne() const {
  return wait(1)[0];
}

std::vector<ibv_wc> End::pollFor(std::chrono::milliseconds time) const {
  std::vector<ibv_wc> got;
  for (Clock::time_point end = Clock::now() + time; Clock::now() < end;) {
    ibv_wc completion;
    if (cq.poll({&completion, 1}) == 1) got.push_back(completion);
  }
  return got;
}

void End::connect(const End& peer, verbs::RtrAttributes rtr, verbs::RtsAttributes rts) const {
  must(qp.toInit({.remoteAccess = options.access}));
  rtr.path.remoteGid = peer.gid();
  rtr.remoteQpNum = peer.qp.qpNum();
  rtr.receivePsn = peer.qp.qpNum();  // any number both sides can know
  rtr.maxReadsServed = 16;
  must(qp.toRtr(rtr));
  rts.sendPsn = qp.qpNum();
  rts.maxReadsIssued = 16;
  must(qp.toRts(rts));
}

void fill(std::byte* memory, size_t bytes, unsigned seed) {
  for (size_t i = 0; i < bytes; i++)
    memory[i] = static_cast<std::byte>(seed * 131 + i * 7 + i / 251);
}

/// What a device's thread has placed may be read once the far side has said so; by way of it, which
/// ThreadSanitizer does not see.
__attribute__((no_sanitize_thread)) bool holds(const std::byte* memory, size_t bytes,
                                               unsigned seed) {
  for (size_t i = 0; i < bytes; i++) {
    if (memory[i] != static_cast<std::byte>(seed * 131 + i * 7 + i / 251)) return false;
  }
  return true;
}

}  // namespace verbena::softnic::testing
