// SPDX-License-Identifier: Apache-2.0
#include "connect/resolver.h"

#include <netdb.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include "threads/background.h"

namespace verbena::connect {
namespace {

constexpr size_t kMostAddresses = 4;  // of one host; each is tried in turn

}  // namespace

Resolver::Answer Resolver::askSystem(const HostAndPort& name, int family) {
  addrinfo hints{};
  hints.ai_family = family;
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  int code = getaddrinfo(name.host.c_str(), nullptr, &hints, &found);
  if (code != 0) return {{}, "host '" + name.host + "' was not found: " + gai_strerror(code)};
  Answer answer;
  for (addrinfo* each = found; each != nullptr; each = each->ai_next) {
    std::optional<Address> address = Address::of(each->ai_addr);
    if (!address || answer.addresses.size() == kMostAddresses) continue;
    address->port = name.port;
    answer.addresses.push_back(*address);
  }
  freeaddrinfo(found);
  return answer;
}

struct Resolver::Shared {
  struct Question {
    NodeId peer = 0;
    HostAndPort name;
    friend bool operator==(const Question&, const Question&) = default;
  };

  /// Whether it is asked already. Under the lock.
  bool isOpen(const Question& question) const {
    return std::find(waiting.begin(), waiting.end(), question) != waiting.end() ||
           std::find(underWay.begin(), underWay.end(), question) != underWay.end();
  }

  std::mutex lock;
  std::condition_variable changed;
  std::deque<Question> waiting;
  std::vector<Question> underWay;
  int family = 0;
  LookUp lookUp;
  Found found;  ///< empty when nobody wants to know any more
  size_t threads = 0;
};

Resolver::Resolver(int family, Found found, LookUp lookUp) : shared_(std::make_shared<Shared>()) {
  shared_->family = family;
  shared_->lookUp = std::move(lookUp);
  shared_->found = std::move(found);
}

Resolver::~Resolver() {
  std::lock_guard held(shared_->lock);
  shared_->found = nullptr;
  shared_->changed.notify_all();
}

void Resolver::run(const std::shared_ptr<Shared>& shared) {
  std::unique_lock held(shared->lock);
  for (;;) {
    shared->changed.wait(held, [&] { return !shared->found || !shared->waiting.empty(); });
    if (!shared->found) return;
    Shared::Question question = std::move(shared->waiting.front());
    shared->waiting.pop_front();
    shared->underWay.push_back(question);
    held.unlock();
    Answer answer = shared->lookUp(question.name, shared->family);
    held.lock();
    std::erase(shared->underWay, question);
    if (shared->found) shared->found(question.peer, question.name, std::move(answer));
  }
}

bool Resolver::ask(NodeId peer, const HostAndPort& name) {
  std::lock_guard held(shared_->lock);
  Shared::Question question{peer, name};
  if (shared_->isOpen(question)) return true;
  if (!haveThread()) return false;
  std::erase_if(shared_->waiting, [&](const auto& each) { return each.peer == peer; });
  shared_->waiting.push_back(std::move(question));
  shared_->changed.notify_one();
  return true;
}

/// Whether somebody will take one more question: a thread that waits, a new one, or else one of
/// those that are busy. Under the lock.
bool Resolver::haveThread() {
  size_t wanted = shared_->underWay.size() + shared_->waiting.size() + 1;
  if (wanted <= shared_->threads || shared_->threads == kMostThreads) return true;
  std::thread thread;
  bool started = threads::startInBackground(thread, [shared = shared_] { run(shared); });
  if (!started) return shared_->threads != 0;
  thread.detach();
  shared_->threads++;
  return true;
}

}  // namespace verbena::connect
