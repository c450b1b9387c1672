// SPDX-License-Identifier: Apache-2.0
#include "fabric/send_queue.h"

namespace verbena::fabric {

SendQueue::Posted SendQueue::post(ibv_qp* queuePair, ibv_send_wr* first) {
  uint64_t end = posted_;
  uint64_t reporting = 0;
  for (ibv_send_wr* request = first; request != nullptr; request = request->next) {
    request->wr_id = ++end;
    bool reports = (request->send_flags & IBV_SEND_SIGNALED) != 0;
    reports_[place(end)] = reports ? 1 : 0;
    if (reports) reporting++;
  }
  // Before they are posted: their completions may come before that call returns.
  if (reporting != 0) reporting_.fetch_add(reporting, std::memory_order_relaxed);
  ibv_send_wr* refused = nullptr;
  int code = ibv_post_send(queuePair, first, &refused);
  uint64_t taken = end;
  if (code != 0) taken = refused == nullptr ? posted_ : refused->wr_id - 1;
  forget(taken, end);
  for (uint64_t number = taken; reporting != 0 && number > posted_; number--) {
    if (reports_[place(number)] == 0) continue;
    lastReporting_.store(number, std::memory_order_relaxed);
    break;
  }
  auto count = static_cast<uint32_t>(taken - posted_);
  posted_ = taken;
  return {count, code};
}

bool SendQueue::confirm(uint64_t number) {
  uint64_t before = confirmed_.load(std::memory_order_relaxed);
  if (number <= before) return false;
  forget(before, number);
  confirmed_.store(number, std::memory_order_seq_cst);
  return true;
}

void SendQueue::forget(uint64_t after, uint64_t until) {
  uint64_t reports = reportsWithin(after, until);
  if (reports != 0) reporting_.fetch_sub(reports, std::memory_order_relaxed);
}

uint64_t SendQueue::reportsWithin(uint64_t after, uint64_t until) const {
  uint64_t count = 0;
  for (uint64_t number = after + 1; number <= until; number++) count += reports_[place(number)];
  return count;
}

}  // namespace verbena::fabric
