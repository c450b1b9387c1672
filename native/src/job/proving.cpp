// SPDX-License-Identifier: Apache-2.0
#include "job/proving.h"

#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <vector>

#include "base/wire.h"

namespace verbena::job {
namespace {

constexpr uint64_t kHelloMagic = 0x02'6F'6C'6C'65'48'4A'56;
constexpr uint64_t kChallengeMagic = 0x01'6C'61'68'43'4A'4A'56;
constexpr size_t kMagicBytes = 8;
constexpr size_t kNonceBytes = 32;
// In the Hello's nonce: the process, the number of its try, and what is new in each.
constexpr size_t kProcessBytes = 12;
constexpr size_t kTryAt = kMagicBytes + kProcessBytes;
constexpr size_t kNewAt = kTryAt + 4;
constexpr size_t kJobAt = kMagicBytes + kNonceBytes;
constexpr size_t kRankAt = kJobAt + sizeof(base::Digest);
constexpr size_t kSizeAt = kRankAt + 4;
constexpr size_t kProofAt = 4;
static_assert(kSizeAt + 4 == Hello::kBytes);
static_assert(kMagicBytes + kNonceBytes == Challenge::kBytes);
static_assert(kProofAt + sizeof(base::Digest) == Answer::kBytes);

// Nothing else that is signed with a job's key begins so.
constexpr std::string_view kOther = "verbena job: another rank 1";
constexpr std::string_view kFirst = "verbena job: the first rank 1";
constexpr std::string_view kSealOfOther = "verbena job: seal of another rank 1";
constexpr std::string_view kSealOfFirst = "verbena job: seal of the first rank 1";

base::Result<void> fill(std::span<std::byte> nonce) {
  if (getrandom(nonce.data(), nonce.size(), 0) == static_cast<ssize_t>(nonce.size())) return {};
  return base::Error{"make a nonce", "", errno, ""};
}

base::Digest nameOf(const std::string& jobId) {
  return base::sha256(std::as_bytes(std::span(jobId)));
}

std::vector<std::byte> signedBytes(std::string_view role, const Hello& hello,
                                   const Challenge& challenge) {
  std::span<const std::byte> name = std::as_bytes(std::span(role));
  std::vector<std::byte> all(name.begin(), name.end());
  all.insert(all.end(), hello.bytes.begin(), hello.bytes.end());
  all.insert(all.end(), challenge.bytes.begin(), challenge.bytes.end());
  return all;
}

}  // namespace

base::Result<Hello> Hello::of(const Party& party) {
  Hello hello;
  std::span<std::byte> into(hello.bytes);
  base::putLittle(into, 0, kHelloMagic);
  if (auto filled = fill(into.subspan(kMagicBytes, kNonceBytes)); !filled) return filled.error();
  base::putLittle(into, kTryAt, uint32_t{0});
  std::ranges::copy(nameOf(party.id), hello.bytes.begin() + kJobAt);
  base::putLittle(into, kRankAt, party.rank);
  base::putLittle(into, kSizeAt, party.size);
  return hello;
}

base::Result<void> Hello::again() {
  std::span<std::byte> into(bytes);
  base::putLittle(into, kTryAt, base::getLittle<uint32_t>(bytes, kTryAt) + 1);
  return fill(into.subspan(kNewAt, kJobAt - kNewAt));
}

bool Hello::isLaterThan(const Hello& other) const {
  auto processOf = [](const Hello& of) {
    return std::span(of.bytes).subspan(kMagicBytes, kProcessBytes);
  };
  return std::ranges::equal(processOf(*this), processOf(other)) &&
         base::getLittle<uint32_t>(bytes, kTryAt) > base::getLittle<uint32_t>(other.bytes, kTryAt);
}

bool Hello::isGood() const {
  return base::getLittle<uint64_t>(bytes, 0) == kHelloMagic;
}

uint32_t Hello::rank() const {
  return base::getLittle<uint32_t>(bytes, kRankAt);
}

Verdict Hello::heldAgainst(const Party& self) const {
  base::Digest name = nameOf(self.id);
  bool sameJob = std::equal(name.begin(), name.end(), bytes.begin() + kJobAt);
  if (!sameJob) return Verdict::otherJob;
  if (base::getLittle<uint32_t>(bytes, kSizeAt) != self.size) return Verdict::otherSize;
  return rank() < self.size && rank() != self.rank ? Verdict::welcome : Verdict::taken;
}

base::Result<Challenge> Challenge::make() {
  Challenge challenge;
  base::putLittle(std::span<std::byte>(challenge.bytes), 0, kChallengeMagic);
  auto filled = fill(std::span(challenge.bytes).subspan(kMagicBytes, kNonceBytes));
  if (!filled) return filled.error();
  return challenge;
}

bool Challenge::isGood() const {
  return base::getLittle<uint64_t>(bytes, 0) == kChallengeMagic;
}

Verdict Answer::verdict() const {
  return static_cast<Verdict>(base::getLittle<uint32_t>(bytes, 0));
}

base::Digest Proofs::ofOther(const Hello& hello, const Challenge& challenge) const {
  return key_.of(signedBytes(kOther, hello, challenge));
}

base::Digest Proofs::ofFirst(Verdict verdict, const Hello& hello,
                             const Challenge& challenge) const {
  std::vector<std::byte> all = signedBytes(kFirst, hello, challenge);
  all.push_back(static_cast<std::byte>(verdict));
  return key_.of(all);
}

Answer Proofs::answer(Verdict verdict, const Hello& hello, const Challenge& challenge) const {
  Answer answer;
  base::putLittle(std::span<std::byte>(answer.bytes), 0, static_cast<uint32_t>(verdict));
  if (verdict == Verdict::otherKey) return answer;
  std::ranges::copy(ofFirst(verdict, hello, challenge), answer.bytes.begin() + kProofAt);
  return answer;
}

bool Proofs::isProved(const Answer& answer, const Hello& hello, const Challenge& challenge) const {
  if (answer.verdict() == Verdict::otherKey) return true;
  base::Digest expected = ofFirst(answer.verdict(), hello, challenge);
  return base::equalInConstantTime(expected, std::span(answer.bytes).subspan(kProofAt));
}

Seal Proofs::sealOfFirst(const Hello& hello, const Challenge& challenge) const {
  return {key_.of(signedBytes(kSealOfFirst, hello, challenge)),
          key_.of(signedBytes(kSealOfOther, hello, challenge))};
}

Seal Proofs::sealOfOther(const Hello& hello, const Challenge& challenge) const {
  return {key_.of(signedBytes(kSealOfOther, hello, challenge)),
          key_.of(signedBytes(kSealOfFirst, hello, challenge))};
}

}  // namespace verbena::job
