// SPDX-License-Identifier: Apache-2.0
#include "job/job.h"

#include <cerrno>

#include "base/clock.h"
#include "host/shared_file.h"
#include "job/alone.h"
#include "job/key_file.h"
#include "job/publishing.h"

namespace verbena::job {
namespace {

uint64_t deadlineAfter(std::chrono::nanoseconds timeout) {
  return base::monotonicNs() + static_cast<uint64_t>(std::max<int64_t>(timeout.count(), 0));
}

/// Of ranks that verbena-run has started: by the folder of the host's agent.
class ByFolder final : public Bootstrap {
 public:
  static base::Result<std::unique_ptr<Bootstrap>> of(const Place& place) {
    std::string path = place.folder + "/" + kTableName;
    host::SharedFile file = host::SharedFile::open(path, Table::bytesFor(place.size));
    if (!file) {
      return base::Error{"open the job's table", path, errno, "the job is over, or another user's"};
    }
    std::optional<Table> table = Table::of(file.memory(), file.bytes());
    if (!table || table->size() != place.size) {
      return base::Error{"open the job's table", path, EPROTO,
                         "its launcher is of another version"};
    }
    file.closeDescriptor();
    return std::unique_ptr<Bootstrap>(new ByFolder(place, std::move(file), *table));
  }

  base::Result<void> publish(std::span<const std::byte> address) override {
    return publishAt(folder_, rank_, address);
  }
  const Table& table() const override { return table_; }

 private:
  ByFolder(const Place& place, host::SharedFile file, const Table& table)
      : folder_(place.folder), rank_(place.rank), file_(std::move(file)), table_(table) {}

  const std::string folder_;
  const uint32_t rank_;
  const host::SharedFile file_;
  const Table table_;
};

}  // namespace

base::Result<std::unique_ptr<Job>> Job::open(const Variables& variables) {
  auto place = placeFrom(variables);
  if (!place) return place.error();
  if (place->folder.empty()) return std::unique_ptr<Job>(new Job(*place, "", alone()));
  auto key = readKeyFile(place->keyFile);
  if (!key) return key.error();
  auto bootstrap = ByFolder::of(*place);
  if (!bootstrap) return bootstrap.error();
  return std::unique_ptr<Job>(new Job(*place, *key, std::move(*bootstrap)));
}

base::Result<void> Job::publish(std::span<const std::byte> address) {
  if (address.size() <= kMostBytes) return bootstrap_->publish(address);
  return base::Error{"publish the address", "rank " + std::to_string(place_.rank), EMSGSIZE,
                     "it has " + std::to_string(address.size()) + " bytes, and at most " +
                         std::to_string(kMostBytes) + " are passed on"};
}

base::Result<std::span<const std::byte>> Job::address(uint32_t rank,
                                                      std::chrono::nanoseconds timeout) const {
  if (rank < place_.size) return bootstrap_->table().address(rank, deadlineAfter(timeout));
  return base::Error{"learn the address", "rank " + std::to_string(rank), EINVAL,
                     "the job has ranks 0 to " + std::to_string(place_.size - 1)};
}

base::Result<void> Job::awaitAll(std::chrono::nanoseconds timeout) const {
  return bootstrap_->table().awaitAll(deadlineAfter(timeout));
}

std::optional<End> Job::awaitEnd(std::chrono::nanoseconds timeout) {
  std::optional<End> end = this->end(endsTold_, timeout);
  if (end) endsTold_++;
  return end;
}

std::optional<End> Job::end(uint32_t number, std::chrono::nanoseconds timeout,
                            const std::atomic<bool>* stopped) const {
  return bootstrap_->table().end(number, deadlineAfter(timeout), stopped);
}

}  // namespace verbena::job
