// SPDX-License-Identifier: Apache-2.0
#include "memories.h"

#include <span>
#include <utility>

#include "../test_device.h"
#include "devices/providers.h"

namespace verbena::fabric::testing {
namespace {

using softnic::testing::OverTcp;
using Clock = std::chrono::steady_clock;

}  // namespace

std::vector<Wire> wires() {
  std::vector<Wire> all{Wire::Mapped, Wire::Device};
  if (testDevice() == "softnic") all.push_back(Wire::Tcp);
  return all;
}

verbs::Wiring wiringOf(Wire wire) {
  if (wire != Wire::Tcp) return {};
  std::string key = "the key of a cluster";
  auto bytes = std::as_bytes(std::span(key));
  return {.key = std::vector<std::byte>(bytes.begin(), bytes.end())};
}

std::string nameOfWire(const ::testing::TestParamInfo<Wire>& info) {
  switch (info.param) {
    case Wire::Mapped: return "Mapped";
    case Wire::Device: return "ByDevice";
    case Wire::Tcp: return "OverTcp";
  }
  return "?";
}

verbs::Selection testPort(const verbs::Wiring& wiring) {
  return must(verbs::select(verbs::survey(devices::providers(), wiring), {.device = testDevice()}));
}

Node::Node(connect::NodeId id, uint64_t incarnation, const WorkerOptions& options, bool mapping,
           const verbs::Wiring& wiring)
    : owner_{id, incarnation}, domain_(must(Domain::open(testPort(wiring)))) {
  worker_ = must(Worker::open(domain_, options));
  memory_ = must(OneSided::on(*worker_, {.links = options.maxLinks, .mapping = mapping}));
  must(worker_->add(*memory_, options.maxLinks));
  worker_->report(*this);
}

std::vector<Done> Node::await(size_t count) {
  std::vector<Done> all(count);
  size_t have = 0;
  for (auto end = Clock::now() + kPatience; have < count && Clock::now() < end;) {
    worker_->progress();
    have += memory_->poll(std::span(all).subspan(have));
  }
  all.resize(have);
  EXPECT_EQ(have, count) << "operations are not done";
  return all;
}

std::vector<Signal> Node::awaitSignals(size_t count) {
  std::vector<Signal> all(count);
  size_t have = 0;
  for (auto end = Clock::now() + kPatience; have < count && Clock::now() < end;) {
    worker_->progress();
    have += memory_->takeSignals(std::span(all).subspan(have));
  }
  all.resize(have);
  EXPECT_EQ(have, count) << "signals have not come";
  return all;
}

Done::Outcome Node::run(connect::LinkId link, const Request& request) {
  auto posted = memory_->post(link, std::span(&request, 1));
  if (!posted && posted.error().code == ESTALE) return Done::Outcome::refused;
  EXPECT_EQ(must(std::move(posted)), 1U);
  std::vector<Done> done = await(1);
  return done.empty() ? Done::Outcome::unknown : done.front().outcome;
}

void Node::failed(connect::LinkId id, const std::string& reason) {
  std::lock_guard guard(lock_);
  EXPECT_TRUE(failed_.emplace(id, reason).second) << "failed() came twice";
}
void Node::closed(connect::LinkId id) {
  std::lock_guard guard(lock_);
  closed_[id]++;
}
std::string Node::failureOf(connect::LinkId id) const {
  std::lock_guard guard(lock_);
  auto found = failed_.find(id);
  return found == failed_.end() ? "" : found->second;
}
int Node::closedTimes(connect::LinkId id) const {
  std::lock_guard guard(lock_);
  auto found = closed_.find(id);
  return found == closed_.end() ? 0 : found->second;
}

void Node::close(connect::LinkId id) {
  worker_->close(id);
  for (auto end = Clock::now() + kPatience; closedTimes(id) == 0 && Clock::now() < end;) {
    worker_->progress();
  }
  EXPECT_EQ(closedTimes(id), 1);
}

void connect(Node& one, Node& other, connect::LinkId id) {
  auto newLink = [&](const Node& peer) {
    return connect::NewLink{id, peer.id(), kOneSided, nullptr, peer.owner().incarnation};
  };
  connect::LinkEnd near = must(one.worker().create(one.memory(), newLink(other)));
  connect::LinkEnd far = must(other.worker().create(other.memory(), newLink(one)));
  must(one.worker().connect(id, far));
  must(other.worker().connect(id, near));
  one.worker().ready(id);
  other.worker().ready(id);
}

Memories::Memories(Wire wire)
    : tcp_(wire == Wire::Tcp ? std::optional<OverTcp>(std::in_place) : std::nullopt),
      left_(1, 101, {}, wire == Wire::Mapped, wiringOf(wire)),
      elsewhere_(wire == Wire::Tcp ? std::optional<Folders>(std::in_place) : std::nullopt),
      right_(2, 202, {}, wire == Wire::Mapped, wiringOf(wire)),
      here_(left_.region(kBytes)),
      there_(right_.region(kBytes)),
      key_(must(there_->share(0, kBytes, kAllAccess))) {
  connect(left_, right_, kLink);
}

Memories::~Memories() {
  if (left_.closedTimes(kLink) == 0) left_.close(kLink);
  if (right_.closedTimes(kLink) == 0) right_.close(kLink);
}

Request Memories::put(uint64_t localOffset, uint64_t offset, uint64_t length,
                      uint64_t cookie) const {
  return {.operation = Operation::put,
          .local = here_.get(),
          .localOffset = localOffset,
          .key = key_,
          .offset = offset,
          .length = length,
          .cookie = cookie};
}

Request Memories::get(uint64_t localOffset, uint64_t offset, uint64_t length,
                      uint64_t cookie) const {
  Request request = put(localOffset, offset, length, cookie);
  request.operation = Operation::get;
  return request;
}

Request Memories::add(uint64_t offset, uint64_t operand) const {
  Request request = put(0, offset, 8);
  request.operation = Operation::fetchAdd;
  request.operand = operand;
  return request;
}

Request Memories::swap(uint64_t offset, uint64_t compare, uint64_t value) const {
  Request request = add(offset, compare);
  request.operation = Operation::compareSwap;
  request.swap = value;
  return request;
}

Request Memories::signal(uint32_t value, uint64_t offset) const {
  Request request = put(offset, offset, 8, value);
  request.signals = true;
  request.signal = value;
  return request;
}

void Memories::expectFailure() {
  EXPECT_NE(left_.failureOf(kLink), "");
  left_.close(kLink);
}

}  // namespace verbena::fabric::testing
