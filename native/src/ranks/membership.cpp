// SPDX-License-Identifier: Apache-2.0
#include "ranks/membership.h"

#include <cerrno>
#include <span>

#include "base/background.h"
#include "base/clock.h"
#include "base/survive.h"

namespace verbena::ranks {
namespace {

using std::chrono::nanoseconds;

std::string nameOf(uint32_t rank) {
  return "rank " + std::to_string(rank);
}

}  // namespace

std::string listenAddress(const job::Place& place) {
  const std::string& host = place.hostAddress;
  return (host.find(':') == std::string::npos ? host : "[" + host + "]") + ":0";
}

std::string lineFor(std::string_view kind, const std::string& address) {
  return std::string(kind) + " " + address + "\n";
}

std::optional<std::string> addressIn(std::string_view published, std::string_view kind) {
  while (!published.empty()) {
    std::string_view line = published.substr(0, published.find('\n'));
    published.remove_prefix(std::min(line.size() + 1, published.size()));
    bool isOfKind = line.starts_with(kind) && line.substr(kind.size()).starts_with(' ');
    if (isOfKind) return std::string(line.substr(kind.size() + 1));
  }
  return std::nullopt;
}

base::Result<std::unique_ptr<Membership>> Membership::join(std::shared_ptr<job::Job> job,
                                                           node::Node& node, nanoseconds timeout) {
  std::unique_ptr<Membership> made(new Membership(std::move(job), node));
  std::string line = lineFor(kFabric, node.manager().address());
  auto published = made->job_->publish(std::as_bytes(std::span(line)));
  if (!published) return published.error();
  if (auto added = made->addPeers(timeout); !added) return added.error();
  if (auto started = made->startWatch(); !started) return started.error();
  return made;
}

base::Result<void> Membership::addPeers(nanoseconds timeout) {
  if (auto all = job_->awaitAll(timeout); !all) return all.error();
  for (uint32_t rank = 0; rank < job_->place().size; rank++) {
    if (rank == job_->place().rank) continue;
    auto bytes = job_->address(rank, nanoseconds::zero());
    if (!bytes) return bytes.error();
    std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    auto address = addressIn(text, kFabric);
    if (!address) {
      return base::Error{"find the fabric's node", nameOf(rank), ENOENT,
                         "what it has published names none"};
    }
    node_.manager().addPeer(static_cast<connect::NodeId>(rank), *address);
  }
  return {};
}

base::Result<void> Membership::startWatch() {
  auto body = [this] {
    watch();
    // release pairs with the acquire in the destructor
    isOver_.store(true, std::memory_order_release);
  };
  if (base::startInBackground(watch_, body)) return {};
  return base::Error{"watch for the ends of ranks", "", errno, ""};
}

void Membership::watch() {
  for (uint32_t number = 0;; number++) {
    auto end = job_->end(number, nanoseconds::max(), &stopped_);
    if (!end) return;
    if (!end->failed()) continue;
    base::survive([&] {
      node_.manager().removePeer(static_cast<connect::NodeId>(end->rank),
                                 nameOf(end->rank) + " " + end->text());
    });
  }
}

Membership::~Membership() {
  if (!watch_.joinable()) return;
  // release pairs with the acquire in Table::end()
  stopped_.store(true, std::memory_order_release);
  // It may be about to sleep, and then a wake before that is lost.
  while (!isOver_.load(std::memory_order_acquire)) {
    job_->wakeForEnds();
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  watch_.join();
}

}  // namespace verbena::ranks
