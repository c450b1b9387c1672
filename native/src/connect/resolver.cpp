// SPDX-License-Identifier: Apache-2.0
#include "connect/resolver.h"

#include <netdb.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include "base/background.h"
#include "base/survive.h"

namespace verbena::connect {
namespace {

constexpr size_t kMostAddresses = 4;  // of one host; each is tried in turn

}  // namespace

Resolver::Answer Resolver::askSystem(const std::string& host, int family) {
  addrinfo hints{};
  hints.ai_family = family;
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  int code = getaddrinfo(host.c_str(), nullptr, &hints, &found);
  if (code != 0) return {{}, "host '" + host + "' was not found: " + gai_strerror(code)};
  Answer answer;
  for (addrinfo* each = found; each != nullptr; each = each->ai_next) {
    std::optional<Address> address = Address::of(each->ai_addr);
    if (address && answer.addresses.size() < kMostAddresses) answer.addresses.push_back(*address);
  }
  freeaddrinfo(found);
  return answer;
}

struct Resolver::Shared {
  struct Asker {
    NodeId peer = 0;
    HostAndPort name;
    friend bool operator==(const Asker&, const Asker&) = default;
  };
  /// One look-up, whoever wants to know: nodes of one host are many.
  struct Question {
    std::string host;
    std::vector<Asker> askers;
    bool underWay = false;
  };

  Question* find(const std::string& host) {
    auto same = [&](const Question& each) { return each.host == host; };
    auto at = std::find_if(questions.begin(), questions.end(), same);
    return at == questions.end() ? nullptr : &*at;
  }

  Question* firstWaiting() {
    auto waits = [](const Question& each) { return !each.underWay; };
    auto at = std::find_if(questions.begin(), questions.end(), waits);
    return at == questions.end() ? nullptr : &*at;
  }

  /// What a peer was called before is looked up for nobody, unless it is under way.
  void forgetWaiting(NodeId peer) {
    for (Question& each : questions) {
      if (each.underWay) continue;
      std::erase_if(each.askers, [&](const Asker& asker) { return asker.peer == peer; });
    }
    std::erase_if(questions, [](const Question& each) { return each.askers.empty(); });
  }

  std::mutex lock;  // guards all below
  std::condition_variable changed;
  std::deque<Question> questions;  // first come, first asked
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
    shared->changed.wait(held, [&] { return !shared->found || shared->firstWaiting() != nullptr; });
    if (!shared->found) return;
    Shared::Question* question = shared->firstWaiting();
    base::survive([&] {
      std::string host = question->host;
      question->underWay = true;
      held.unlock();
      Answer answer = lookUp(*shared, host);
      held.lock();
      if (shared->found) tell(*shared, host, answer);
    });
    if (!held.owns_lock()) held.lock();
  }
}

/// What cannot be looked up for want of memory was not found: the next dial asks again.
Resolver::Answer Resolver::lookUp(Shared& shared, const std::string& host) {
  try {
    return shared.lookUp(host, shared.family);
  } catch (const std::exception&) {
    return {{}, "out of memory"};  // so short that it needs none
  }
}

void Resolver::tell(Shared& shared, const std::string& host, const Answer& answer) {
  std::vector<Shared::Asker> askers = std::move(shared.find(host)->askers);
  std::erase_if(shared.questions, [&](const Shared::Question& each) { return each.host == host; });
  for (const Shared::Asker& asker : askers) {
    Answer his = answer;
    for (Address& address : his.addresses) address.port = asker.name.port;
    shared.found(asker.peer, asker.name, std::move(his));
  }
}

bool Resolver::ask(NodeId peer, const HostAndPort& name) {
  std::lock_guard held(shared_->lock);
  Shared::Asker asker{peer, name};
  Shared::Question* open = shared_->find(name.host);
  if (open != nullptr) {
    auto& askers = open->askers;
    if (std::find(askers.begin(), askers.end(), asker) != askers.end()) return true;
  } else if (!haveThread()) {
    return false;
  }
  shared_->forgetWaiting(peer);
  open = shared_->find(name.host);  // what was forgotten may have moved it, or taken it away
  if (open == nullptr) {
    open = &shared_->questions.emplace_back(Shared::Question{.host = name.host, .askers = {}});
  }
  open->askers.push_back(std::move(asker));
  shared_->changed.notify_one();
  return true;
}

base::Result<std::vector<Address>> Resolver::resolve(const std::string& text) const {
  if (std::optional<Address> numeric = Address::parse(text)) return std::vector{*numeric};
  std::optional<HostAndPort> name = HostAndPort::parse(text);
  if (!name) {
    return base::Error{"find the node at '" + text + "'", "", EINVAL,
                       "it " + HostAndPort::fault(text)};
  }
  Answer answer = lookUp(*shared_, name->host);
  if (answer.addresses.empty()) {
    return base::Error{"find the node at " + text, "", EADDRNOTAVAIL, answer.error};
  }
  for (Address& address : answer.addresses) address.port = name->port;
  return answer.addresses;
}

/// Whether somebody will take one more question: a thread that waits, a new one, or else one of
/// those that are busy. Under the lock.
bool Resolver::haveThread() {
  size_t wanted = shared_->questions.size() + 1;
  if (wanted <= shared_->threads || shared_->threads == kMostThreads) return true;
  std::thread thread;
  bool started = base::startInBackground(thread, [shared = shared_] { run(shared); });
  if (!started) return shared_->threads != 0;
  thread.detach();
  shared_->threads++;
  return true;
}

}  // namespace verbena::connect
