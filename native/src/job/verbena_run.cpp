// SPDX-License-Identifier: Apache-2.0
#include "job/verbena_run.h"

#include <cerrno>

#include "host/shared_file.h"
#include "job/contract.h"
#include "job/key_file.h"
#include "job/publishing.h"

namespace verbena::job {
namespace {

class ByFolder final : public Bootstrap {
 public:
  static base::Result<std::unique_ptr<Bootstrap>> of(const Place& place) {
    std::string path = place.folder + "/" + kTableName;
    // The agent alone writes: what goes wrong in one rank does not reach the others.
    host::SharedFile file = host::SharedFile::openToRead(path, Table::bytesFor(place.size));
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

bool hasVerbenaRunStarted(const Variables& variables) {
  return variables(kRank) != nullptr || variables(kFolder) != nullptr;
}

base::Result<Place> placeFrom(const Variables& variables) {
  Place place;
  auto size = numberOf(variables, kSize, 1, kMostRanks);
  if (!size) return size.error();
  auto rank = numberOf(variables, kRank, 0, *size - 1);
  if (!rank) return rank.error();
  auto localSize = numberOf(variables, kLocalSize, 1, *size);
  if (!localSize) return localSize.error();
  auto localRank = numberOf(variables, kLocalRank, 0, *localSize - 1);
  if (!localRank) return localRank.error();
  auto oversubscribed = numberOf(variables, kOversubscribed, 0, 1);
  if (!oversubscribed) return oversubscribed.error();
  place.size = *size;
  place.rank = *rank;
  place.localSize = *localSize;
  place.localRank = *localRank;
  place.oversubscribed = *oversubscribed != 0;
  for (auto [name, into] :
       {std::pair{kId, &place.id}, std::pair{kHostAddress, &place.hostAddress},
        std::pair{kFolder, &place.folder}, std::pair{kKeyFile, &place.keyFile}}) {
    auto value = textOf(variables, name);
    if (!value) return value.error();
    *into = *value;
  }
  return place;
}

base::Result<Membership> joinVerbenaRun(const Variables& variables) {
  auto place = placeFrom(variables);
  if (!place) return place.error();
  auto key = readKeyFile(place->keyFile);
  if (!key) return key.error();
  auto bootstrap = ByFolder::of(*place);
  if (!bootstrap) return bootstrap.error();
  return Membership{std::move(*place), std::move(*key), std::move(*bootstrap)};
}

}  // namespace verbena::job
