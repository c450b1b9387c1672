// SPDX-License-Identifier: Apache-2.0
//
// The thread that owns the exchange: it takes jobs from its queue, packets from the socket and the
// time from the clock, and works them off one after another.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/event_fd.h"
#include "connect/callers.h"
#include "connect/destroyer.h"
#include "connect/directory.h"
#include "connect/exchange.h"
#include "connect/resolver.h"
#include "connect/udp_socket.h"

namespace verbena::connect {

class JobThread final : private Outside, private Observer {
 public:
  /// Binds the socket; nothing is worked off before start().
  static base::Result<std::unique_ptr<JobThread>> open(
      const ManagerOptions& options, LinkOwner& owner, Observer& observer,
      const Resolver::LookUp& lookUp = Resolver::askSystem);
  base::Result<void> start();
  /// Returns when every link is closed, and nobody is inside any more.
  ~JobThread() override;

  // --- any thread
  Address address() const { return socket_->local(); }
  const Directory& directory() const { return directory_; }
  /// Any thread.
  void hide(LinkId id) { directory_.hide(id); }
  Callers& callers() { return callers_; }
  ManagerCounters counters() const { return counts_.read(); }
  bool isReachable(NodeId peer) const;

  void addPeer(NodeId peer, const std::string& address);
  void removePeer(NodeId peer, const std::string& reason);
  void dial(NodeId peer, LinkName name, Time timeout);
  /// Blocks until it is known who is there.
  base::Result<NodeId> addPeerAt(const std::string& address, Time timeout);
  void close(LinkId id, const std::string& reason);
  /// LinkOwner::watch() is called soon. Any thread.
  void lookSoon() { wakeUp_.ring(); }
  /// As close(), and is heard even where there is no memory for the reason.
  void failed(LinkId id, const std::string& reason);
  /// These need no memory.
  void drained(LinkId id) { destroyer_.destroy(id); }
  void closed(LinkId id);
  void shutDown();                                                            ///< likewise
  bool isShutDown() const { return ended_.load(std::memory_order_acquire); }  // pairs with run()

 private:
  using Job = std::function<void(Time now)>;
  /// A thread in addPeerAt().
  class Asker {
   public:
    explicit Asker(JobThread& thread);
    ~Asker();
    Asker(const Asker&) = delete;
    Asker& operator=(const Asker&) = delete;

   private:
    JobThread& thread_;
  };

  JobThread(const ManagerOptions& options, std::unique_ptr<UdpSocket> socket, LinkOwner& owner,
            Observer& observer, const Resolver::LookUp& lookUp);
  base::Result<Found> ask(const std::string& address, Time timeout);
  void post(Job job);
  void note(std::vector<LinkId>& ends, LinkId id);
  void takeEnds(std::vector<LinkId>& ends, void (JobThread::*end)(LinkId));
  void endFailed(LinkId id);
  void endClosed(LinkId id);
  void beginShutDown();
  void run();
  void waitForWork();
  std::vector<Job> takeJobs();
  void takePackets();
  void reportBounced();
  void lookUp(Time now, NodeId peer);
  void found(NodeId peer, const HostAndPort& name, Resolver::Answer answer);
  void addPeerJob(Time now, NodeId peer, const std::string& address);
  void dialJob(Time now, NodeId peer, LinkName name, Time timeout);

  // Outside, to the exchange
  void send(const Address& to, const Datagram& packet) override;
  void fillRandom(std::span<std::byte> bytes) override;
  void expectEnds(size_t links) override;

  // Observer, to the exchange: keeps the directory and the callers, and passes on
  void up(const LinkUp& link) override;
  void down(LinkId id, NodeId peer, LinkName name, const std::string& reason) override;
  void notUp(LinkId id, LinkName name, const std::string& reason) override;
  void gone(LinkId id, NodeId peer) override;
  void dialFailed(NodeId peer, LinkName name, Refusal why, const std::string& reason) override;
  void reachable(NodeId peer, bool answers) override;

  LinkOwner& owner_;
  Observer& observer_;
  const std::unique_ptr<UdpSocket> socket_;
  const base::WakeUp wakeUp_;
  Counts counts_;
  Directory directory_;
  Callers callers_;
  std::array<std::atomic<uint64_t>, 1024> reachable_{};  ///< a bit for each id that is given

  std::mutex lock_;
  // Under the lock. What a link's end needs is said without taking memory: there is room for
  // the end of each that was created.
  std::vector<Job> jobs_;
  std::vector<LinkId> failed_;  ///< of whose failure there was no memory to tell more
  std::vector<LinkId> closed_;
  unsigned asking_ = 0;
  std::condition_variable asked_;

  std::atomic<bool> shutDownWanted_{false};
  std::atomic<bool> ended_{false};

  // Of the job thread
  bool shuttingDown_ = false;
  Time lookAt_ = LinkOwner::kNoHurry;                   ///< the owner wants to be asked then
  std::vector<std::pair<Address, int>> bounced_;        ///< packets that could not be sent
  std::unordered_map<NodeId, HostAndPort> names_;       ///< peers that are known by host name
  std::unordered_map<NodeId, std::string> unreadable_;  ///< addresses that are none
  const bool probes_;  ///< unconnected peers, which takes their addresses before anybody dials
  Exchange exchange_;
  Resolver resolver_;
  Destroyer destroyer_;
  std::thread thread_;
};

}  // namespace verbena::connect
