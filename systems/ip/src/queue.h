// SPDX-License-Identifier: Apache-2.0
//
// One queue of the TAP, one worker of the fabric, and the thread between them. Frames that the
// kernel sends are read into the ring of the peer that got the last one, and go together when there
// are no more or the batch is full. Frames of peers go to the kernel from where they lie.
//
// A peer without room stops the queue, that is: its frame is held and the device is not read, but
// for no longer than 20 ms; then the peer is slow, and what is for it is dropped until it has room.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <optional>
#include <span>
#include <vector>

#include "batch.h"
#include "counters.h"
#include "errands.h"
#include "incoming.h"
#include "outgoing.h"

namespace verbena::ip {

class Network;

class Queue {
 public:
  Queue(Network& network, uint32_t number);

  /// Until the network stops. By the thread of the queue.
  void run();
  /// For other threads. It wakes this one.
  bool leave(Errand errand);

  const std::list<Outgoing>& outgoing() const { return outgoing_; }
  const Traffic& traffic(size_t peer) const { return incoming_[peer]; }
  /// Frames of the kernel's that are for no peer.
  const Traffic& refused() const { return refused_; }
  uint32_t readers() const { return readerCount_.load(std::memory_order_relaxed); }

 private:
  /// A frame in scratch_, for which its peer's ring has no room.
  struct Held {
    Outgoing* to;
    size_t bytes;
    Clock::time_point since;
  };

  struct PeersQueue {
    size_t peer;  // its place
    uint32_t queue;

    bool operator==(const PeersQueue&) const = default;
  };

  // --- rounds
  bool round();
  bool fromPeers();
  bool fromKernel();
  void tend();
  void look();
  void sleep();
  bool hasCome(vbn_writer* full);
  [[noreturn]] void isGone() const;
  int timeout() const;

  // --- to peers
  bool readOne();
  void send(std::span<std::byte> place, size_t bytes, bool isInLast);
  void sendToAll(std::span<const std::byte> frame);
  void sendTo(Outgoing& to, std::span<std::byte> place, size_t bytes, bool isInLast);
  bool put(Outgoing& to, std::span<const std::byte> place, size_t bytes);
  bool placeHeld();
  void passed(Outgoing& to, std::span<const std::byte> place, size_t bytes);
  void publishAll();
  Outgoing* peerOf(const Mac& mac);
  void ask(Outgoing& to);
  bool mayWaitFor(const Outgoing& to) const;

  // --- channels
  void cameUp(Outgoing& to);
  void heard(Peer& peer, std::span<const std::byte> word);
  void openReader(size_t peer, uint32_t queue);
  void forgetLost(std::list<Incoming>::iterator lost);
  void doErrands();

  Network& network_;
  const uint32_t number_;
  std::list<Outgoing> outgoing_;  // by the places of peers, as the next two
  std::vector<Outgoing*> places_;
  std::vector<Traffic> incoming_;
  std::list<Incoming> readers_;
  std::atomic<uint32_t> readerCount_{0};
  Traffic refused_;
  Errands errands_;
  std::deque<Errand> waiting_;      // that were taken
  std::vector<PeersQueue> unread_;  // whose readers could not be made
  std::vector<PeersQueue> unsaid_;  // the peer is to read a queue of ours
  std::atomic<bool> hasErrands_{false};
  std::vector<vbn_reader*> armedReaders_;

  Outgoing* last_ = nullptr;
  std::vector<Outgoing*> touched_;  // have a batch that is not published
  std::optional<Held> held_;
  std::vector<std::byte> scratch_ = std::vector<std::byte>(kMostPlace);
  Clock::time_point now_{};
  Clock::time_point nextLook_{};
  Clock::time_point nextReaders_{};
};

}  // namespace verbena::ip
