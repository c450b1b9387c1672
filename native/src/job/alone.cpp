// SPDX-License-Identifier: Apache-2.0
#include "job/alone.h"

#include <unistd.h>

#include <mutex>

#include "job/own_table.h"

namespace verbena::job {
namespace {

class Alone final : public Bootstrap {
 public:
  base::Result<void> publish(std::span<const std::byte> address) override {
    std::lock_guard lock(mutex_);
    if (table_.table().hasPublished(0)) {
      return base::Error{"publish the address", "rank 0", 0, "it has published one already"};
    }
    table_.table().publish(0, address);
    return {};
  }

  const Table& table() const override { return table_.table(); }

 private:
  std::mutex mutex_;
  OwnTable table_{1};
};

}  // namespace

Membership joinNobody() {
  Place place;
  place.id = "alone-" + std::to_string(getpid());
  place.hostAddress = "127.0.0.1";
  return {std::move(place), "", alone()};
}

std::unique_ptr<Bootstrap> alone() {
  return std::make_unique<Alone>();
}

}  // namespace verbena::job
