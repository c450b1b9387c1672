// SPDX-License-Identifier: Apache-2.0
#include "connect/manager.h"

#include <cerrno>
#include <utility>

#include "connect/job_thread.h"

namespace verbena::connect {

Manager::Manager(std::unique_ptr<JobThread> job) : job_(std::move(job)) {}

Manager::~Manager() = default;

base::Result<std::unique_ptr<Manager>> Manager::start(const ManagerOptions& options,
                                                      LinkOwner& owner, Observer& observer,
                                                      const Introduce& introduce) {
  std::string self = nameOf(options.self);
  if (options.incarnation == 0) {
    return base::Error{"start the connection manager", self, EINVAL, "an incarnation is not 0"};
  }
  if (options.deadAfter <= options.heartbeat || options.heartbeat.count() <= 0 ||
      options.firstRetry.count() <= 0) {
    return base::Error{
        "start the connection manager", self, EINVAL,
        "deadAfter must be more than heartbeat, and both and firstRetry more than 0"};
  }
  base::Result<std::unique_ptr<JobThread>> job = JobThread::open(options, owner, observer);
  if (!job) return job.error();
  std::unique_ptr<Manager> made(new Manager(std::move(*job)));
  if (introduce) introduce(*made);
  base::Result<void> started = made->job_->start();
  if (!started) return started.error();
  return made;
}

void Manager::shutDown() {
  job_->shutDown();
}

bool Manager::isShutDown() const {
  return job_->isShutDown();
}

std::string Manager::address() const {
  return job_->address().text();
}

void Manager::addPeer(NodeId peer, const std::string& address) {
  job_->addPeer(peer, address);
}

base::Result<NodeId> Manager::addPeerAt(const std::string& address,
                                        std::chrono::nanoseconds timeout) {
  return job_->addPeerAt(address, timeout);
}

void Manager::removePeer(NodeId peer, const std::string& reason) {
  job_->removePeer(peer, reason);
}

bool Manager::isReachable(NodeId peer) const {
  return job_->isReachable(peer);
}

LinkId Manager::find(NodeId peer, LinkName name) const {
  return job_->directory().find(peer, name);
}

void Manager::dial(NodeId peer, LinkName name, std::chrono::nanoseconds timeout) {
  job_->dial(peer, name, timeout);
}

base::Result<LinkId> Manager::get(NodeId peer, LinkName name, std::chrono::nanoseconds timeout,
                                  const std::function<void()>& meanwhile) {
  Dial dial(*this, peer, name, timeout);
  auto outcome = dial.outcome(timeout, meanwhile);
  return outcome ? *outcome : dial.tooLate();
}

struct Manager::Dial::Inside {
  NodeId peer;
  LinkId live;  // was there already
  std::optional<Callers::Caller> caller{};
};

Manager::Dial::Dial(Manager& manager, NodeId peer, LinkName name, std::chrono::nanoseconds timeout)
    : inside_(new Inside{peer, manager.find(peer, name)}) {
  if (inside_->live != 0) return;
  // Before the dial, so that no outcome is missed.
  inside_->caller.emplace(manager.job_->callers(), peer, name);
  if (!inside_->caller->isDecided()) manager.job_->dial(peer, name, timeout);
}

Manager::Dial::~Dial() = default;

std::optional<base::Result<LinkId>> Manager::Dial::outcome(std::chrono::nanoseconds most,
                                                           const std::function<void()>& meanwhile) {
  if (!inside_->caller) return inside_->live;
  std::optional<Callers::Outcome> outcome = inside_->caller->wait(most, meanwhile);
  if (!outcome) return std::nullopt;
  if (outcome->id != 0) return outcome->id;
  return base::Error{"connect to " + nameOf(inside_->peer), "", outcome->code, outcome->reason};
}

base::Error Manager::Dial::tooLate() const {
  return {"connect to " + nameOf(inside_->peer), "", ETIMEDOUT, "no connection in the time given"};
}

void Manager::stop(uint16_t service) {
  job_->callers().stop(service);
}

/// Whoever asks for a link from now on is not given one that is about to go.
void Manager::close(LinkId id, const std::string& reason) {
  job_->hide(id);
  job_->close(id, reason);
}

void Manager::failed(LinkId id, const std::string& reason) {
  job_->failed(id, reason);
}

void Manager::lookSoon() {
  job_->lookSoon();
}

bool Manager::drained(LinkId id) {
  job_->drained(id);
  return true;
}

void Manager::closed(LinkId id) {
  job_->closed(id);
}

ManagerCounters Manager::counters() const {
  return job_->counters();
}

}  // namespace verbena::connect
