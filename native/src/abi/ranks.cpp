// SPDX-License-Identifier: Apache-2.0
//
// The fabric's node of a rank.
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

#include "abi/fabric_handles.h"
#include "abi/job_handle.h"
#include "abi/numbers.h"
#include "ranks/membership.h"
#include "verbena/ranks.h"

using namespace verbena;

namespace {

constexpr vbn_wishes kNoWishes = {sizeof(vbn_wishes), 0, nullptr, -1, 0, -1, -1, 0, 0, nullptr};

void checkFree(const vbn_fabric_options& given) {
  bool isFree = given.node_id == 0 && given.cluster == nullptr && given.key == nullptr;
  if (isFree) return;
  throw std::invalid_argument("node_id, cluster and key of a rank's node are its job's: leave 0");
}

/// The options of one rank's node, with what they point at.
class RankOptions {
 public:
  RankOptions(const job::Job& job, const vbn_fabric_options* more) {
    if (more != nullptr) options_ = abi::known(more);
    checkFree(options_);
    const job::Place& place = job.place();
    options_.struct_bytes = sizeof options_;
    options_.node_id = place.rank;
    options_.cluster = place.id.c_str();
    if (!job.key().empty()) options_.key = reinterpret_cast<const uint8_t*>(job.key().data());
    options_.key_bytes = job.key().size();
    if (place.oversubscribed) options_.sleeps_at_once = 1;
    listen_ = ranks::listenAddress(place);
    if (options_.listen == nullptr) options_.listen = listen_.c_str();
    if (place.hostAddress != "127.0.0.1") reachByDevice(place.hostAddress);
  }
  RankOptions(const RankOptions&) = delete;
  RankOptions& operator=(const RankOptions&) = delete;

  const vbn_fabric_options& get() const { return options_; }

 private:
  /// softnic listens for ports of other hosts only where it is told to.
  void reachByDevice(const std::string& address) {
    const vbn_wishes* given = options_.device;
    wishes_ = given != nullptr ? abi::takeIn(given, offsetof(vbn_wishes, listen), "vbn_wishes")
                               : kNoWishes;
    wishes_.struct_bytes = sizeof wishes_;
    bool isWished = wishes_.listen != nullptr && *wishes_.listen != '\0';
    bool isSaid = isWished || std::getenv("VERBENA_SOFTNIC_TCP") != nullptr;
    if (!isSaid) wishes_.listen = address.c_str();
    options_.device = &wishes_;
  }

  vbn_fabric_options options_{};
  vbn_wishes wishes_{};
  std::string listen_;
};

}  // namespace

vbn_status vbn_job_open_fabric(vbn_job* job, const vbn_fabric_options* more, uint64_t timeout_ns,
                               vbn_fabric** opened) noexcept {
  return abi::guarded([&]() -> vbn_status {
    abi::need(opened, "the place for the fabric");
    const auto& inside = abi::need(job, "job").inside;
    auto fabric = abi::openFabric(RankOptions(*inside, more).get());
    if (!fabric) return abi::refuse(fabric.error());
    auto joined = ranks::Membership::join(inside, *(*fabric)->node, abi::nanoseconds(timeout_ns));
    if (!joined) return abi::refuse(joined.error());
    (*fabric)->ranks = std::move(*joined);
    *opened = fabric->release();
    return VBN_OK;
  });
}
