// SPDX-License-Identifier: Apache-2.0
#include "incoming.h"

#include <sys/uio.h>

#include <array>
#include <cerrno>

#include "batch.h"

namespace verbena::ip {
namespace {

// Of one peer, before others have their turn. A batch of the smallest has thousands of frames.
constexpr size_t kFrames = 512;
constexpr int kMessages = 64;

}  // namespace

Incoming::Found Incoming::take(int tap, const Mac& self, Traffic& traffic,
                               const std::function<void(std::span<const std::byte>)>& word) {
  Found found = Found::nothing;
  if (!isLinked_) return found;
  size_t frames = 0;
  for (int i = 0; i < kMessages && frames < kFrames; i++) {
    std::span<const std::byte> message;
    Outcome outcome = reader_.peek(message);
    if (outcome == Outcome::tooLarge) {
      traffic.dropped(Drop::noBatch);
      isDue_ = true;
      found = Found::something;
      if (reader_.drop() == Outcome::wouldBlock) break;  // not all of it has come
      continue;
    }
    if (outcome == Outcome::ended || outcome == Outcome::lost) return Found::theEnd;
    if (outcome != Outcome::done) break;
    if (message.size() > kBatchBytes + kMostPlace) {
      traffic.dropped(Drop::noBatch);
      reader_.release();
      isDue_ = true;
      found = Found::something;
      continue;
    }
    bool isWord = message.size() >= kLengthBytes &&
                  base::getLittle<uint32_t>(message, 0) > kHeaderBytes + kMostFrame;
    if (isWord) {
      word(message);
    } else {
      frames += enter(message, tap, self, traffic);
    }
    reader_.release();
    isDue_ = true;
    found = Found::something;
  }
  if (isDue_) isDue_ = reader_.nudge() == Outcome::wouldBlock;
  return found;
}

size_t Incoming::enter(std::span<const std::byte> message, int tap, const Mac& self,
                       Traffic& traffic) {
  Batch batch(message);
  size_t frames = 0;
  while (auto entry = batch.next()) {
    Drop why = enterOne(*entry, tap, self, traffic);
    if (why != Drop::none) traffic.dropped(why);
    frames++;
  }
  if (batch.failed()) traffic.dropped(Drop::noBatch);
  return frames;
}

/// The bytes that were judged are written from the copy.
Drop Incoming::enterOne(std::span<const std::byte> entry, int tap, const Mac& self,
                        Traffic& traffic) {
  auto frame = entry.subspan(kHeaderBytes);
  if (frame.size() < kEthernetBytes) return Drop::tooShort;
  Heading heading = Heading::of(entry, frame);
  if (Drop fault = heading.fault(frame.size()); fault != Drop::none) return fault;
  if (heading.source != peer_.mac()) return Drop::foreignSource;
  if (!isForMany(heading.destination) && heading.destination != self) return Drop::otherNode;
  auto rest = frame.subspan(heading.destination.size() + heading.source.size());
  std::array<iovec, 4> parts{{{heading.header.data(), heading.header.size()},
                              {heading.destination.data(), heading.destination.size()},
                              {heading.source.data(), heading.source.size()},
                              {const_cast<std::byte*>(rest.data()), rest.size()}}};
  if (writev(tap, parts.data(), parts.size()) < 0) return Drop::kernel;
  traffic.passed(heading, frame.size());
  return Drop::none;
}

}  // namespace verbena::ip
