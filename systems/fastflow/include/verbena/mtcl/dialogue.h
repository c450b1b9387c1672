// SPDX-License-Identifier: Apache-2.0
//
// Messages both ways between two processes, as MTCL means them: whole messages, sent and received
// at once or in the background, probed for, and the end of each direction. Over two channels.
//
// Results are as of system calls: -1, and errno says why. EPIPE: the far side does not read any
// more. ECONNRESET: it went without an end. EMSGSIZE: the message is larger than its place.
// ETIMEDOUT: it lives, and has not read in the time that endSending() may take.
//
// Threads: one at a time sends, one at a time receives.
#pragma once

#include <sys/types.h>
#include <verbena/channel.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>

namespace verbena::mtcl {

/// One message that is on its way. Its memory belongs to its user, who leaves it alone until it is
/// over.
class Operation {
 public:
  bool isOver() const { return state_.load(std::memory_order_acquire) != State::open; }
  /// 0 once it is done, -1 with errno if it failed.
  int result() const;
  /// Of the message; -1 before it is over. Of one that was too large for its place: its length.
  ssize_t bytes() const { return isOver() ? bytes_ : -1; }

 private:
  friend class Dialogue;
  enum class State { open, done, failed };
  enum class Kind { send, receive };

  Operation(Kind kind, void* place, std::size_t room) : kind_(kind), place_(place), room_(room) {}
  void end(ssize_t bytes, int error);

  const Kind kind_;
  void* const place_;
  const std::size_t room_;
  std::atomic<State> state_{State::open};  // release pairs with isOver(): the rest is written
  ssize_t bytes_ = -1;
  int error_ = 0;
};

class Dialogue {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::duration kWithoutEnd = Clock::duration::max();

  /// Takes the two ends, and keeps what they need as long as they are. `linger`: what endSending()
  /// may take.
  Dialogue(std::shared_ptr<void> needed, vbn_reader* reader, vbn_writer* writer,
           Clock::duration linger = kWithoutEnd);
  ~Dialogue();
  Dialogue(const Dialogue&) = delete;
  Dialogue& operator=(const Dialogue&) = delete;

  // --- sending
  /// Waits until the message may be forgotten here. In shared memory the far side has it then; by a
  /// device it is under way, and endSending() waits for it. A message of no bytes says that the
  /// stream ends.
  ssize_t send(const void* message, std::size_t bytes);
  std::shared_ptr<Operation> sendLater(const void* message, std::size_t bytes);
  /// No more follows. Waits until what is on its way has gone, for which a far side that does not
  /// read has to have room; or gives up when the time is over, and then the far side hears of a
  /// loss.
  int endSending();

  // --- receiving
  /// The length of the next message: 1, or 0 at the end of the stream, or -1: EWOULDBLOCK if there
  /// is none now.
  int probe(std::size_t& bytes, bool waits);
  /// Whether probe() knows an answer.
  bool isReadable();
  /// The next message. 0: the stream has ended. EMSGSIZE: it is still there.
  ssize_t receive(void* into, std::size_t room);
  /// What is too large for its place is thrown away.
  std::shared_ptr<Operation> receiveLater(void* into, std::size_t room);
  /// Whatever the far side still sends is not wanted.
  void endReceiving();

  // --- both
  /// Moves on what is on its way. Does not wait.
  void progress();
  /// Waits until it is over. Its result().
  int wait(const Operation& operation);

 private:
  /// What is under way in one direction. Whoever holds the lock uses its end of a channel; threads
  /// of the other direction pass by while it is held: who has it moves things on.
  struct Direction {
    std::mutex lock;
    std::deque<std::shared_ptr<Operation>> open;
    std::atomic<std::size_t> count{0};  // of the open ones, for a glance
  };
  std::shared_ptr<Operation> begin(Direction& in, std::shared_ptr<Operation> operation);
  static void end(Direction& in, ssize_t bytes, int error);
  void progress(Direction& in);

  int giveUpSending();
  Clock::time_point lingerEnd() const;

  // --- under the lock of the direction
  void progressSending();
  void endSend(vbn_outcome pushed);
  void progressReceiving();
  /// False if the next message is not here as a whole.
  bool receiveNext(const Operation& into);
  bool drop();
  vbn_outcome lookAtNext(std::size_t& bytes);

  /// One sleep until something can be received, or sent, or a moment is over.
  void awaitMessage();
  void awaitRoom();
  void giveWay();
  static int failed(int error);

  std::shared_ptr<void> needed_;
  const Clock::duration linger_;
  vbn_reader* reader_;
  vbn_writer* writer_;
  Direction sending_;
  Direction receiving_;
  bool ended_ = false;               // by the far side
  bool drops_ = false;               // the first one to receive: it is too large
  std::atomic<unsigned> inVain_{0};  // probes that did not wait
};

}  // namespace verbena::mtcl
