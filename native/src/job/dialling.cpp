// SPDX-License-Identifier: Apache-2.0
#include "job/dialling.h"

#include <sys/socket.h>
#include <time.h>

#include <algorithm>
#include <cerrno>

#include "base/clock.h"
#include "job/contract.h"
#include "job/proving.h"

namespace verbena::job {
namespace {

constexpr uint64_t kFirstPauseNs = 5 * base::kNsPerMs;
constexpr uint64_t kLongestPauseNs = 250 * base::kNsPerMs;
/// How long connecting may take, and then the handshake, in one try. Rank 0 may have thousands to
/// hear: then each has longer.
constexpr uint64_t kFirstTryNs = 2'000 * base::kNsPerMs;
constexpr uint64_t kLongestTryNs = 30'000 * base::kNsPerMs;

class Dialling {
 public:
  Dialling(const Party& party, const HostPort& at)
      : party_(party),
        at_(at),
        proofs_(party.key),
        deadlineNs_(base::monotonicNs() + static_cast<uint64_t>(party.patience.count())) {}

  base::Result<Stream> untilReached() {
    auto hello = Hello::of(party_);
    if (!hello) return hello.error();
    hello_ = *hello;
    for (uint64_t pauseNs = kFirstPauseNs;; pauseNs = std::min(2 * pauseNs, kLongestPauseNs)) {
      auto reached = once();
      if (reached || isFinal_) return reached;
      if (base::monotonicNs() + pauseNs >= deadlineNs_) return tooLate(reached.error());
      timespec pause{0, static_cast<long>(pauseNs)};
      nanosleep(&pause, nullptr);
      if (auto renewed = hello_.again(); !renewed) return renewed.error();
    }
  }

 private:
  base::Result<Stream> once() {
    auto socket = connectTo(at_, deadlineNs_, tryNs_);
    if (!socket && socket.error().code == ETIMEDOUT) giveMoreTime();
    if (!socket) return socket.error();
    uint64_t beganNs = base::monotonicNs();
    tryEndsNs_ = std::min(deadlineNs_, beganNs + tryNs_);
    Challenge challenge;
    Answer answer;
    bool heard = send(*socket, hello_.bytes) && read(*socket, challenge.bytes) &&
                 challenge.isGood() && send(*socket, proofs_.ofOther(hello_, challenge)) &&
                 read(*socket, answer.bytes) && proofs_.isProved(answer, hello_, challenge);
    if (!heard) return notHeard(tryEndsNs_ - beganNs);
    if (answer.verdict() == Verdict::welcome) return sealed(std::move(*socket), challenge);
    isFinal_ = true;
    return cannotReach(0, refusal(answer.verdict()));
  }

  base::Result<Stream> sealed(base::FileDescriptor socket, const Challenge& challenge) const {
    auto stream = streamOver(std::move(socket));
    if (stream) stream->seal(proofs_.sealOfOther(hello_, challenge));
    return stream;
  }

  base::Error notHeard(uint64_t givenNs) {
    bool isSilent = base::monotonicNs() >= tryEndsNs_;
    if (!isSilent) return cannotReach(EPROTO, "who answers there is no rank of this job");
    std::string waited = std::to_string(givenNs / base::kNsPerMs) + " ms";
    giveMoreTime();
    return cannotReach(ETIMEDOUT, "a program listens there that has not answered for " + waited +
                                      "; is it rank 0 of this job?");
  }

  void giveMoreTime() { tryNs_ = std::min(2 * tryNs_, kLongestTryNs); }

  static bool send(const base::FileDescriptor& socket, std::span<const std::byte> message) {
    ssize_t sent = ::send(socket.get(), message.data(), message.size(), MSG_NOSIGNAL);
    return sent == static_cast<ssize_t>(message.size());
  }

  bool read(const base::FileDescriptor& socket, std::span<std::byte> message) const {
    while (!message.empty()) {
      uint64_t now = base::monotonicNs();
      std::chrono::nanoseconds left(now < tryEndsNs_ ? tryEndsNs_ - now : 0);
      if (!base::waitReadable(socket.get(), left)) return false;
      ssize_t got = recv(socket.get(), message.data(), message.size(), 0);
      if (got <= 0) return false;
      message = message.subspan(static_cast<size_t>(got));
    }
    return true;
  }

  base::Error cannotReach(int code, const std::string& advice) const {
    return base::Error{"reach rank 0", at_.text(), code, advice};
  }

  std::string refusal(Verdict verdict) const {
    switch (verdict) {
      case Verdict::otherKey: return "it has another key; all ranks are to have one";
      case Verdict::otherJob:
        return "it is of another job than '" + party_.id + "'; choose another port by " + kPort;
      case Verdict::otherSize:
        return "it was told another number of ranks than " + std::to_string(party_.size);
      case Verdict::taken:
        return "there is a rank " + std::to_string(party_.rank) +
               " already, and no two processes have one number";
      case Verdict::welcome: break;
    }
    return "it is of another version";
  }

  base::Error tooLate(const base::Error& last) const {
    std::string seconds =
        std::to_string(std::chrono::duration_cast<std::chrono::seconds>(party_.patience).count());
    return cannotReach(ETIMEDOUT, "within " + seconds + " s (" + kStartTimeout +
                                      ") it was not there; the last try: " + last.sentence());
  }

  const Party& party_;
  const HostPort& at_;
  const Proofs proofs_;
  const uint64_t deadlineNs_;
  Hello hello_;
  uint64_t tryNs_ = kFirstTryNs;
  uint64_t tryEndsNs_ = 0;
  bool isFinal_ = false;
};

}  // namespace

base::Result<Stream> reachFirstRank(const Party& party, const HostPort& at) {
  return Dialling(party, at).untilReached();
}

}  // namespace verbena::job
