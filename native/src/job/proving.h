// SPDX-License-Identifier: Apache-2.0
//
// How two ranks prove to each other that they are of one job, before either tells the other
// anything. The key does not travel.
//
//   the other rank            rank 0
//   Hello              ->
//                      <-     Challenge
//   proof              ->
//                      <-     Answer, with a proof
//
// A proof covers what both have said, and which side has made it: so none can be used again, or
// turned round. Who dials proves itself first: a stranger gets nothing that was made with the key.
//
// A Hello says of which process it is, and the number of the try: a rank that has not heard the
// Answer comes again, and rank 0 tells it from another process of its number. All that follows the
// Answer is sealed (seal.h) under keys that follow from the job's and from what both have said.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/result.h"
#include "base/sha256.h"
#include "job/party.h"
#include "job/seal.h"

namespace verbena::job {

enum class Verdict : uint32_t {
  welcome = 1,
  otherKey,   ///< its proof is wrong; the only one without a proof of rank 0
  otherJob,   ///< a job of another name
  otherSize,  ///< rank 0 was told another number of ranks
  taken       ///< a rank with this number has been there already
};

struct Hello {
  static constexpr size_t kBytes = 80;
  std::array<std::byte, kBytes> bytes{};

  /// The first try of this process.
  static base::Result<Hello> of(const Party& party);
  /// Makes it the next one.
  base::Result<void> again();
  /// Whether one process has made both, this one later.
  bool isLaterThan(const Hello& other) const;
  /// Whether it is one of this protocol at all.
  bool isGood() const;
  uint32_t rank() const;
  /// What `self`, rank 0, has against it, but for what it does not know: whether there was one
  /// already.
  Verdict heldAgainst(const Party& self) const;
};

struct Challenge {
  static constexpr size_t kBytes = 40;
  std::array<std::byte, kBytes> bytes{};

  static base::Result<Challenge> make();
  bool isGood() const;
};

struct Answer {
  static constexpr size_t kBytes = 36;
  std::array<std::byte, kBytes> bytes{};

  Verdict verdict() const;
};

class Proofs {
 public:
  explicit Proofs(const std::string& key) : key_(std::as_bytes(std::span(key))) {}

  base::Digest ofOther(const Hello& hello, const Challenge& challenge) const;
  Answer answer(Verdict verdict, const Hello& hello, const Challenge& challenge) const;
  /// Whether rank 0 has made it. One for another key has no proof, and is believed.
  bool isProved(const Answer& answer, const Hello& hello, const Challenge& challenge) const;
  /// For what they say behind the Answer.
  Seal sealOfFirst(const Hello& hello, const Challenge& challenge) const;
  Seal sealOfOther(const Hello& hello, const Challenge& challenge) const;

 private:
  base::Digest ofFirst(Verdict verdict, const Hello& hello, const Challenge& challenge) const;

  const base::Hmac key_;
};

}  // namespace verbena::job
