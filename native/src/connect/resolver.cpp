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

struct Answer {
  std::vector<Address> addresses;
  std::string error;
};

Answer lookUp(const HostAndPort& name, int family) {
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

}  // namespace

struct Resolver::Shared {
  struct Question {
    NodeId peer;
    HostAndPort name;
  };
  std::mutex lock;
  std::condition_variable changed;
  std::deque<Question> questions;
  int family = 0;
  Found found;  ///< empty when nobody wants to know any more
  bool running = false;
};

Resolver::Resolver(int family, Found found) : shared_(std::make_shared<Shared>()) {
  shared_->family = family;
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
    shared->changed.wait(held, [&] { return !shared->found || !shared->questions.empty(); });
    if (!shared->found) return;
    Shared::Question question = std::move(shared->questions.front());
    shared->questions.pop_front();
    held.unlock();
    Answer answer = lookUp(question.name, shared->family);
    held.lock();
    if (shared->found) shared->found(question.peer, std::move(answer.addresses), answer.error);
  }
}

bool Resolver::ask(NodeId peer, const HostAndPort& name) {
  std::lock_guard held(shared_->lock);
  if (!shared_->running) {
    std::thread thread;
    if (!threads::startInBackground(thread, [shared = shared_] { run(shared); })) return false;
    thread.detach();
    shared_->running = true;
  }
  auto same = [&](const Shared::Question& each) { return each.peer == peer; };
  std::erase_if(shared_->questions, same);
  shared_->questions.push_back({peer, name});
  shared_->changed.notify_one();
  return true;
}

}  // namespace verbena::connect
