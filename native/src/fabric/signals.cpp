// SPDX-License-Identifier: Apache-2.0
#include "fabric/signals.h"

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>

#include "fabric/worker.h"

namespace verbena::fabric {

using base::Error;
using base::Result;

namespace {

/// Receives and completions of all links.
uint64_t mostOf(const Domain& domain) {
  const ibv_device_attr& limits = domain.context.limits();
  return static_cast<uint64_t>(std::min(limits.max_srq_wr, limits.max_cqe));
}

}  // namespace

uint32_t Signals::mostEach(const Domain& domain, uint32_t links) {
  uint64_t places = mostOf(domain) / std::max(links, 1U);
  uint64_t most = places - std::min<uint64_t>(places, kReportsUnderWay);
  return static_cast<uint32_t>(std::min<uint64_t>(most, INT16_MAX));
}

Result<std::unique_ptr<Signals>> Signals::create(Worker& worker, uint32_t links, uint32_t each) {
  const Domain& domain = worker.domain();
  uint64_t total = uint64_t{links} * (each + kReportsUnderWay);
  uint64_t most = mostOf(domain);
  if (each == 0 || each > INT16_MAX || total > most) {
    return Error{"make room for " + std::to_string(each) + " signals of each of " +
                     std::to_string(links) + " links",
                 domain.context.name(), EINVAL,
                 "a link has 1 to 32767, and all of them, with " +
                     std::to_string(kReportsUnderWay) + " more for each link, at most " +
                     std::to_string(most)};
  }
  auto arrivals = verbs::CompletionQueue::create(
      domain.context, static_cast<int>(total), worker.channel(), nullptr, worker.options().vector);
  if (!arrivals) return arrivals.error();
  auto receives = verbs::SharedReceiveQueue::create(domain.pd, static_cast<uint32_t>(total), 1);
  if (!receives) return receives.error();
  return std::unique_ptr<Signals>(
      new Signals(worker, links, each, std::move(*arrivals), std::move(*receives)));
}

Signals::Signals(Worker& worker, uint32_t links, uint32_t each, verbs::CompletionQueue arrivals,
                 verbs::SharedReceiveQueue receives)
    : worker_(worker),
      each_(each),
      total_(links * (each + kReportsUnderWay)),
      arrivals_(std::move(arrivals)),
      receives_(std::move(receives)),
      ring_(uint64_t{links} * each),
      free_(links * each),
      uncovered_(total_) {}

uint32_t Signals::reserve() {
  uint32_t free = free_.load(std::memory_order_relaxed);
  uint32_t granted = 0;
  do {
    granted = std::min(free, each_);
  } while (!free_.compare_exchange_weak(free, free - granted, std::memory_order_relaxed));
  cover(granted + kReportsUnderWay);
  return granted;
}

void Signals::cover(uint32_t window) {
  uint32_t uncovered = uncovered_.load(std::memory_order_relaxed);
  uint32_t taken = 0;
  do {
    taken = std::min(uncovered, window);
  } while (
      !uncovered_.compare_exchange_weak(uncovered, uncovered - taken, std::memory_order_relaxed));
  // Who sends meanwhile is told by the device to try again until the poller has posted them.
  if (post(taken) != 0) owed_.fetch_add(taken, std::memory_order_relaxed);
}

int Signals::takeBatch() {
  int count = arrivals_.poll(batch_);
  if (count < 0) worker_.deviceFailed("the queue of arriving signals has failed");
  return count;
}

void Signals::postReceives() {
  if (owed_.load(std::memory_order_relaxed) != 0) {
    missing_ += owed_.exchange(0, std::memory_order_relaxed);
  }
  int code = post(missing_);
  if (code != 0 && missing_ == total_ - uncovered_.load(std::memory_order_relaxed)) {
    worker_.deviceFailed("no receive can be posted: " + base::errorName(code));
  }
}

/// Nothing arrives in a receive's memory: signals and reports are immediate data alone.
int Signals::post(uint32_t& missing) {
  std::array<ibv_recv_wr, kBatch> chain{};
  while (missing != 0) {
    size_t length = std::min<size_t>(missing, chain.size());
    for (size_t i = 0; i < length; i++) chain[i].next = i + 1 < length ? &chain[i + 1] : nullptr;
    ibv_recv_wr* refused = nullptr;
    int code = ibv_post_srq_recv(receives_.get(), chain.data(), &refused);
    auto taken = code == 0 ? length : static_cast<size_t>(refused - chain.data());
    missing -= static_cast<uint32_t>(taken);
    if (code != 0) return code;
  }
  return 0;
}

}  // namespace verbena::fabric
