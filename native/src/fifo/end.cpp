// SPDX-License-Identifier: Apache-2.0
#include "fifo/end.h"

#include <cerrno>
#include <string>

#include "base/descriptor.h"
#include "fifo/channels.h"
#include "fifo/signal.h"

namespace verbena::fifo {

namespace {

Kept::node_type newPlace() {
  Kept one;
  one.try_emplace(0);
  return one.extract(one.begin());
}

}  // namespace

End::End(Channels& all, uint16_t number) : all_(all), number_(number), place_(newPlace()) {}

std::string End::lostBecause() const {
  return all_.reasonOf(*this);
}

void End::lose(const std::string& reason) {
  all_.blame(*this, nameOf(number_) + ": " + reason);
}

std::string ChannelWay::sentence() const {
  if (mapped) return wire;
  return wire + ", " + std::to_string(puts) + " puts of " + std::to_string(putBytes) +
         " bytes together, " + std::to_string(signals) + " signals";
}

ChannelWay End::way() const {
  if (!isLinked()) return {.wire = "no link"};
  if (isShared()) return {.mapped = true, .wire = "mapped memory"};
  auto device = all_.memory_->way(link());
  auto counts = all_.memory_->counts(link());
  if (!device || !counts) return {.wire = "no link"};
  return {.wire = device->wire,
          .puts = counts->puts,
          .putBytes = counts->putBytes,
          .signals = counts->signals};
}

bool End::signal(uint32_t value) {
  base::Result<uint32_t> posted =
      all_.post(link(), {.operation = fabric::Operation::signal, .signal = value});
  return posted && *posted == 1;
}

void End::wakeSlowly(std::atomic<uint32_t>& sleeps) {
  if (sleeps.exchange(0, std::memory_order_acq_rel) == 0) return;
  if (!farBell_ && !hasNoBell_) {
    farBell_ = Bell::find(all_.options_.folder, farBellName());
    hasNoBell_ = !farBell_ && !base::isExhausted(errno);
  }
  if (farBell_) return farBell_->ring();
  all_.drive();  // an end that always finds room does no other rounds: former wakes go out by this
  signal(PositionSignal::kWake);
}

}  // namespace verbena::fifo
