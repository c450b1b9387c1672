// SPDX-License-Identifier: Apache-2.0
#include "victims.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "fifo/ring.h"
#include "steps.h"

namespace verbena::fifo::testing {
namespace {

using namespace std::chrono_literals;
using softnic::testing::Line;

/// A message that a victim writes into a ring that has room, and reads where it is.
constexpr auto kSoon = 20ms;

// ------------------------------------------------------------------ what they do

using Count = std::atomic<uint64_t>;

void writeInPlace(Writer& writer, uint64_t number, Count& published) {
  std::vector<std::byte> message = victimMessage(number);
  std::byte* at = nullptr;
  if (writer.claim(message.size(), at) != Outcome::done) return;
  std::memcpy(at, message.data(), message.size());
  writer.publish(message.size());
  published++;
}

void writeBeforeIt(Writer& writer) {
  std::vector<std::byte> message(kBytesBeforeIt, std::byte{0xee});
  for (int i = 0; i < kBeforeIt; i++) {
    EXPECT_EQ(writer.push(message, kPatience), Outcome::done);
  }
}
void awaitRoom(Writer& writer) {
  std::byte* at = nullptr;
  auto deadline = Channels::Clock::now() + kPatience;
  while (writer.released() < writer.published() && Channels::Clock::now() < deadline) {
    static_cast<void>(writer.claim(kVictimCapacity / 2 - 100, at, 1ms));
  }
}

void write(Writer& writer, Count& published) {
  for (uint64_t number = 0; number + 1 < kVictimMessages; number++) {
    writeInPlace(writer, number, published);
  }
  std::vector<std::byte> large = victimMessage(kVictimMessages - 1);
  Pushing pieces{large};
  if (writer.push(pieces) == Outcome::done) published++;
  static_cast<void>(writer.flush(kSoon));
}

void read(Reader& reader, Count& released) {
  std::span<const std::byte> message;
  for (uint64_t number = 0; number + 1 < kVictimMessages; number++) {
    if (reader.peek(message, kSoon) != Outcome::done) return;
    reader.release();
    released++;
  }
  std::vector<std::byte> into(victimMessage(kVictimMessages - 1).size());
  Popping pieces{into};
  if (reader.pop(pieces, kSoon) == Outcome::done) released++;
  reader.tell();
}

// ------------------------------------------------------------------ step by step

/// Looks at the ring in front of each step, and halts at one.
class Walk {
 public:
  Walk(std::span<const std::byte> data, const Order& order)
      : ring_(data.data() - RingHead::kBytes, RingHead::kBytes + data.size()),
        order_(order),
        before_(ring_.begin(), ring_.end()) {}

  Walked take(const std::function<void()>& work) {
    walked_.steps = stepThrough(work, [this](uint64_t step) { look(step); });
    return walked_;
  }

 private:
  void look(uint64_t step) {
    if (step == order_.at) halt(order_.signal);
    if (order_.at != 0 || std::memcmp(before_.data(), ring_.data(), ring_.size()) == 0) return;
    std::memcpy(before_.data(), ring_.data(), ring_.size());
    if (walked_.changes < Walked::kMost) walked_.at[walked_.changes++] = step;
  }

  std::span<const std::byte> ring_;
  const Order order_;
  std::vector<std::byte> before_;
  Walked walked_{};
};

/// A writer that does not share the memory has a ring of its own, without a head.
Walked walk(bool isShared, std::span<const std::byte> data, const Order& order,
            const std::function<void()>& work) {
  return Walk(isShared ? data : data.subspan(RingHead::kBytes), order).take(work);
}

/// Opens an end, which `open` does, and tells of the system calls.
template <typename Open>
auto connectByCalls(const Line& line, const Order& order, Open open) {
  line.tell(true);
  line.hear<bool>();
  haltAtCall(order.at, order.signal);
  auto end = open();
  line.tell(Walked{callsCounted(), 0, {}});
  return end;
}

/// Of an end that could not be opened, because others stand still, or it did itself.
void saySo(const Line& line, const base::Error& error) {
  bool goesOn = line.hear<bool>();
  if (goesOn) line.tell(!error.sentence().empty());
}

/// Or it has no writer: that of a link which never came up does not count, and may go meanwhile.
bool isLostOrWaits(Reader& reader) {
  std::vector<std::byte> into(kVictimCapacity);
  Outcome last = Outcome::done;
  auto deadline = Channels::Clock::now() + kPatience;
  while (last == Outcome::done ||
         (last == Outcome::wouldBlock && reader.peer() != 0 && Channels::Clock::now() < deadline)) {
    Popping any{into};
    last = reader.pop(any, kSoon);
  }
  if (last == Outcome::lost) return !reader.lostBecause().empty();
  return last == Outcome::wouldBlock && reader.peer() == 0;
}

void beginAt(const Victim& victim) {
  if (!victim.ports.empty()) setenv("VERBENA_SOFTNIC_DIR", victim.ports.c_str(), 1);
  if (victim.part == Part::connect && !trapCalls()) {
    throw std::runtime_error("the kernel traps no system calls");
  }
}

}  // namespace

std::vector<std::byte> victimMessage(uint64_t number) {
  constexpr size_t kLarge = kVictimCapacity / 2 + 400;
  size_t bytes = number + 1 == kVictimMessages ? kLarge : 8 + 5 * number;
  return std::vector<std::byte>(bytes, static_cast<std::byte>(number + 1));
}

void beWriter(const Line& line, const Victim& victim) {
  auto order = line.hear<Order>();
  beginAt(victim);
  ChannelNode node(victim.node, victim.place);
  node.knows(2, order.peer.data());
  auto open = [&] { return node.channels().openWriter(2, order.channel, order.patience); };
  std::unique_ptr<Writer> writer;
  if (victim.part == Part::connect) {
    auto opened = connectByCalls(line, order, open);
    if (!opened) return saySo(line, opened.error());
    writer = std::move(*opened);
  } else {
    writer = must(open());
    EXPECT_EQ(writer->isShared(), victim.place.share);
    writeBeforeIt(*writer);
    line.tell(true);
    awaitRoom(*writer);
    line.tell(true);
    line.hear<bool>();
    line.tell(
        walk(writer->isShared(), writer->ring(), order, [&] { write(*writer, *victim.done); }));
  }
  if (!line.hear<bool>()) return;
  Outcome last = Outcome::done;
  std::byte* at = nullptr;
  while (last == Outcome::done) {
    last = writer->claim(8, at, kPatience);
    if (last == Outcome::done) writer->publish(8);
  }
  line.tell(last == Outcome::lost && !writer->lostBecause().empty());
}

void beReader(const Line& line, const Victim& victim) {
  auto order = line.hear<Order>();
  beginAt(victim);
  ChannelNode node(victim.node, victim.place);
  std::span<const std::byte> message;
  line.tell(listens(node));
  std::unique_ptr<Reader> reader;
  auto open = [&] { return node.channels().openReader(order.channel, kVictimCapacity); };
  if (victim.part == Part::connect) {
    auto opened = connectByCalls(line, order, [&] {
      auto made = open();
      auto deadline = Channels::Clock::now() + order.patience;
      while (made && (*made)->peer() == 0 && Channels::Clock::now() < deadline) {
        static_cast<void>((*made)->peek(message, kSoon));
      }
      return made;
    });
    if (!opened) return saySo(line, opened.error());
    reader = std::move(*opened);
  } else {
    reader = must(open());
    EXPECT_EQ(reader->peek(message, kPatience), Outcome::done);
    line.tell(true);
    line.hear<bool>();
    line.tell(walk(true, reader->ring(), order, [&] { read(*reader, *victim.done); }));
  }
  if (!line.hear<bool>()) return;
  line.tell(isLostOrWaits(*reader));
}

}  // namespace verbena::fifo::testing
