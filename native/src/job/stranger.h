// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/descriptor.h"
#include "job/proving.h"

namespace verbena::job {

/// Somebody at rank 0's port who has not proved yet to be a rank of the job. Is told nothing but a
/// challenge, and given no more memory than this.
class Stranger {
 public:
  enum class State {
    Greeting,  ///< its Hello is awaited
    Proving,   ///< it has the Challenge; its proof is awaited
    Proved,    ///< it has the key, and waits for an answer
    Refused    ///< it has not, or speaks something else
  };

  /// @param from where it comes from: which host, if not which process
  Stranger(base::FileDescriptor socket, std::string from, uint64_t deadlineNs)
      : socket_(std::move(socket)), from_(std::move(from)), deadlineNs_(deadlineNs) {}

  int fd() const { return socket_.get(); }
  const std::string& from() const { return from_; }
  uint64_t deadlineNs() const { return deadlineNs_; }
  State state() const { return state_; }
  const Hello& hello() const { return hello_; }

  /// Reads what has come. Never blocks.
  void hear(const Proofs& proofs);
  // Once it is proved.

  Answer answer(const Proofs& proofs, Verdict verdict) const;
  /// For what is said behind the answer.
  Seal seal(const Proofs& proofs) const { return proofs.sealOfFirst(hello_, challenge_); }
  /// Sends the answer, and is of no more use.
  void refuse(const Proofs& proofs, Verdict verdict);
  base::FileDescriptor takeSocket() { return std::move(socket_); }

 private:
  /// True once all of the message is there.
  bool read(std::span<std::byte> message);
  bool send(std::span<const std::byte> message);
  void hearHello();
  void hearProof(const Proofs& proofs);

  base::FileDescriptor socket_;
  std::string from_;
  uint64_t deadlineNs_;
  State state_ = State::Greeting;
  size_t readBytes_ = 0;  ///< of the message that is awaited
  Hello hello_;
  Challenge challenge_;
  base::Digest proof_{};
};

}  // namespace verbena::job
