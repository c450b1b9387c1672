// SPDX-License-Identifier: Apache-2.0
//
// Ends of channels.
#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "abi/channel_handles.h"
#include "abi/numbers.h"

using namespace verbena;
using abi::channelsOf;
using abi::nanoseconds;
using abi::need;
using abi::outcomeOf;
using abi::quietly;
using fifo::Outcome;

static_assert(VBN_CHANNEL_DONE == int32_t(Outcome::done) &&
              VBN_CHANNEL_WOULD_BLOCK == int32_t(Outcome::wouldBlock) &&
              VBN_CHANNEL_ENDED == int32_t(Outcome::ended) &&
              VBN_CHANNEL_LOST == int32_t(Outcome::lost) &&
              VBN_CHANNEL_TOO_LARGE == int32_t(Outcome::tooLarge));
static_assert(VBN_CHANNEL_MOST_NUMBER == fifo::kMostNumber);

namespace {

fifo::Reader& inside(const vbn_reader* reader) {
  return need(reader, "the reader").inside.get("the reader");
}

fifo::Writer& inside(const vbn_writer* writer) {
  return need(writer, "the writer").inside.get("the writer");
}

template <typename End>
std::string whyLost(const abi::Dependence<End>& end) {
  return end.isOver() ? "its fabric was closed" : end.get("the end").lostBecause();
}

int32_t wayOf(const fifo::End& end, char* text, uint64_t room) {
  fifo::ChannelWay way = end.way();
  if (text != nullptr) abi::copyText(text, room, way.sentence());
  if (way.mapped) return 1;
  return end.isLinked() ? 0 : -1;
}

const void* ringOf(std::span<const std::byte> ring, uint64_t* bytes) {
  need(bytes, "the place for the ring's length") = ring.size();
  return ring.data();
}

/// The pieces of a message follow each other.
fifo::Writer& between(const vbn_writer* writer) {
  if (need(writer, "the writer").pushing) {
    throw std::invalid_argument("a message of " + std::to_string(writer->pushing->from.size()) +
                                " bytes is written in part: push it to its end first");
  }
  return inside(writer);
}

uint16_t channelNumber(uint32_t number) {
  if (number <= VBN_CHANNEL_MOST_NUMBER) return static_cast<uint16_t>(number);
  throw std::invalid_argument("the number of the channel is " + std::to_string(number) +
                              "; it may be 0 to " + std::to_string(VBN_CHANNEL_MOST_NUMBER));
}

/// A place of no bytes may be anywhere.
template <typename T>
std::span<T> span(T* start, uint64_t bytes, const char* name) {
  if (bytes != 0) need(start, name);
  return {start, static_cast<size_t>(bytes)};
}

/// The message that is written in part, or a new one.
fifo::Pushing& pushing(vbn_writer& writer, std::span<const std::byte> message) {
  if (!writer.pushing) return writer.pushing.emplace(fifo::Pushing{message});
  if (writer.pushing->from.size() != message.size()) {
    throw std::invalid_argument("a message of " + std::to_string(writer.pushing->from.size()) +
                                " bytes is written in part; this one has " +
                                std::to_string(message.size()));
  }
  writer.pushing->from = message;
  return *writer.pushing;
}

}  // namespace

// ------------------------------------------------------------------ event loops

namespace {

/// `call` of the worker's channels, with the ends, which are of those.
template <typename Call>
vbn_status withEnds(vbn_fabric* fabric, uint32_t worker, std::span<vbn_reader* const> readers,
                    std::span<vbn_writer* const> writers, Call call) noexcept {
  return abi::guarded([&] {
    fifo::Channels& channels = channelsOf(fabric, worker);
    if (!readers.empty()) need(readers.data(), "the readers");
    if (!writers.empty()) need(writers.data(), "the writers");
    std::vector<fifo::End*> ends;
    auto add = [&](auto* handle) {
      ends.push_back(&inside(handle));
      if (&ends.back()->channels() == &channels) return;
      throw std::invalid_argument("end " + std::to_string(ends.size() - 1) +
                                  ", readers first, of " +
                                  std::to_string(readers.size() + writers.size()) +
                                  " is not one of worker " + std::to_string(worker));
    };
    for (vbn_reader* each : readers) add(each);
    for (vbn_writer* each : writers) add(each);
    call(channels, fifo::Ends(ends));
    return VBN_OK;
  });
}

}  // namespace

vbn_status vbn_worker_arm_channels(vbn_fabric* fabric, uint32_t worker, vbn_reader* const* readers,
                                   uint32_t reader_count, vbn_writer* const* writers,
                                   uint32_t writer_count) noexcept {
  return withEnds(fabric, worker, {readers, reader_count}, {writers, writer_count},
                  [](fifo::Channels& of, fifo::Ends ends) { of.arm({ends}); });
}

vbn_status vbn_worker_disarm_channels(vbn_fabric* fabric, uint32_t worker,
                                      vbn_reader* const* readers, uint32_t reader_count,
                                      vbn_writer* const* writers, uint32_t writer_count) noexcept {
  return withEnds(fabric, worker, {readers, reader_count}, {writers, writer_count},
                  [](fifo::Channels& of, fifo::Ends ends) { of.disarm({ends}); });
}

// ------------------------------------------------------------------ reading

namespace {

vbn_status openReader(vbn_fabric* fabric, uint32_t worker, uint32_t number, uint64_t capacity,
                      std::optional<connect::NodeId> from, vbn_reader** opened) noexcept {
  return abi::guarded([&]() -> vbn_status {
    need(opened, "the place for the reader");
    auto reader = channelsOf(fabric, worker).openReader(channelNumber(number), capacity, from);
    if (!reader) return abi::refuse(reader.error());
    *opened = new vbn_reader{.inside = {fabric->dependents, std::move(*reader)}};
    return VBN_OK;
  });
}

}  // namespace

vbn_status vbn_reader_open(vbn_fabric* fabric, uint32_t number, uint64_t capacity,
                           vbn_reader** opened) noexcept {
  return vbn_worker_reader_open(fabric, 0, number, capacity, opened);
}

vbn_status vbn_worker_reader_open(vbn_fabric* fabric, uint32_t worker, uint32_t number,
                                  uint64_t capacity, vbn_reader** opened) noexcept {
  return openReader(fabric, worker, number, capacity, std::nullopt, opened);
}

vbn_status vbn_worker_reader_open_from(vbn_fabric* fabric, uint32_t worker, uint32_t number,
                                       uint64_t capacity, uint32_t writer_node,
                                       vbn_reader** opened) noexcept {
  return openReader(fabric, worker, number, capacity, abi::nodeId(writer_node), opened);
}

void vbn_reader_free(vbn_reader* reader) noexcept {
  quietly([&] { delete reader; });
}

vbn_outcome vbn_reader_peek(vbn_reader* reader, uint64_t timeout_ns, const void** message,
                            uint64_t* bytes) noexcept {
  return outcomeOf([&] {
    need(message, "the place for the message");
    need(bytes, "the place for its length");
    std::span<const std::byte> next;
    Outcome outcome = timeout_ns == 0 ? inside(reader).peek(next)
                                      : inside(reader).peek(next, nanoseconds(timeout_ns));
    if (outcome == Outcome::done) {
      *message = next.data();
      *bytes = next.size();
    }
    return outcome;
  });
}

void vbn_reader_release(vbn_reader* reader) noexcept {
  quietly([&] { inside(reader).release(); });
}

vbn_outcome vbn_reader_probe(vbn_reader* reader, uint64_t* bytes) noexcept {
  return outcomeOf([&] { return inside(reader).probe(need(bytes, "the place for the length")); });
}

vbn_outcome vbn_reader_pop(vbn_reader* reader, void* into, uint64_t room, uint64_t timeout_ns,
                           uint64_t* bytes) noexcept {
  return outcomeOf([&] {
    need(bytes, "the place for the length");
    fifo::Popping message{span(static_cast<std::byte*>(into), room, "the place for the message")};
    Outcome outcome = timeout_ns == 0 ? inside(reader).pop(message)
                                      : inside(reader).pop(message, nanoseconds(timeout_ns));
    if (outcome == Outcome::done) *bytes = message.bytes;
    return outcome;
  });
}

vbn_outcome vbn_reader_drop(vbn_reader* reader, uint64_t* bytes) noexcept {
  return outcomeOf([&] { return inside(reader).drop(need(bytes, "the place for the length")); });
}

vbn_outcome vbn_reader_nudge(vbn_reader* reader) noexcept {
  return outcomeOf([&] { return inside(reader).nudge() ? Outcome::done : Outcome::wouldBlock; });
}

void vbn_reader_tell(vbn_reader* reader) noexcept {
  quietly([&] { inside(reader).tell(); });
}

const void* vbn_reader_ring(const vbn_reader* reader, uint64_t* bytes) noexcept {
  const void* start = nullptr;
  quietly([&] { start = ringOf(inside(reader).ring(), bytes); });
  return start;
}

uint32_t vbn_reader_peer(const vbn_reader* reader) noexcept {
  uint32_t peer = 0;
  quietly([&] { peer = inside(reader).peer(); });
  return peer;
}

int32_t vbn_reader_way(const vbn_reader* reader, char* text, uint64_t room) noexcept {
  int32_t way = -1;
  quietly([&] { way = wayOf(inside(reader), text, room); });
  return way;
}

uint64_t vbn_reader_released(const vbn_reader* reader) noexcept {
  uint64_t released = 0;
  quietly([&] { released = inside(reader).released(); });
  return released;
}

void vbn_reader_lost_because(const vbn_reader* reader, char* text, uint64_t room) noexcept {
  quietly([&] { abi::copyText(text, room, whyLost(need(reader, "the reader").inside)); });
}

// ------------------------------------------------------------------ writing

vbn_status vbn_writer_open(vbn_fabric* fabric, uint32_t reader_node, uint32_t number,
                           uint64_t timeout_ns, vbn_writer** opened) noexcept {
  return vbn_worker_writer_open(fabric, 0, reader_node, number, timeout_ns, opened);
}

vbn_status vbn_worker_writer_open(vbn_fabric* fabric, uint32_t worker, uint32_t reader_node,
                                  uint32_t number, uint64_t timeout_ns,
                                  vbn_writer** opened) noexcept {
  return abi::guarded([&]() -> vbn_status {
    need(opened, "the place for the writer");
    auto writer =
        channelsOf(fabric, worker)
            .openWriter(abi::nodeId(reader_node), channelNumber(number), nanoseconds(timeout_ns));
    if (!writer) return abi::refuse(writer.error());
    *opened = new vbn_writer{.inside = {fabric->dependents, std::move(*writer)}};
    return VBN_OK;
  });
}

vbn_status vbn_worker_writer_begin(vbn_fabric* fabric, uint32_t worker, uint32_t reader_node,
                                   uint32_t number, uint64_t timeout_ns, uint64_t most_ring_bytes,
                                   vbn_opening** begun) noexcept {
  return abi::guarded([&]() -> vbn_status {
    need(begun, "the place for the opening");
    auto opening =
        channelsOf(fabric, worker)
            .beginWriter(abi::nodeId(reader_node), channelNumber(number), nanoseconds(timeout_ns),
                         most_ring_bytes == 0 ? fifo::kMostCapacity : most_ring_bytes);
    if (!opening) return abi::refuse(opening.error());
    *begun = new vbn_opening{.inside = {fabric->dependents, std::move(*opening)}};
    return VBN_OK;
  });
}

vbn_outcome vbn_opening_try(vbn_opening* opening, vbn_writer** opened) noexcept {
  return outcomeOf([&] {
    need(opened, "the place for the writer");
    auto& inside = need(opening, "the opening").inside;
    auto writer = inside.get("the opening").step(std::chrono::nanoseconds::zero());
    if (!writer) return Outcome::wouldBlock;
    if (!*writer) throw std::runtime_error(writer->error().sentence());
    *opened = new vbn_writer{.inside = {inside.fabric(), std::move(**writer)}};
    return Outcome::done;
  });
}

void vbn_opening_free(vbn_opening* opening) noexcept {
  quietly([&] { delete opening; });
}

void vbn_writer_free(vbn_writer* writer) noexcept {
  quietly([&] { delete writer; });
}

uint64_t vbn_writer_most_in_place(const vbn_writer* writer) noexcept {
  uint64_t most = 0;
  quietly([&] { most = inside(writer).mostInPlace(); });
  return most;
}

vbn_outcome vbn_writer_claim(vbn_writer* writer, uint64_t bytes, uint64_t timeout_ns,
                             void** at) noexcept {
  return outcomeOf([&] {
    need(at, "the place for the address");
    std::byte* place = nullptr;
    fifo::Writer& to = between(writer);
    Outcome outcome =
        timeout_ns == 0 ? to.claim(bytes, place) : to.claim(bytes, place, nanoseconds(timeout_ns));
    if (outcome == Outcome::done) *at = place;
    return outcome;
  });
}

vbn_outcome vbn_writer_publish(vbn_writer* writer, uint64_t bytes) noexcept {
  return outcomeOf([&] {
    between(writer).publish(bytes);
    return Outcome::done;
  });
}

vbn_outcome vbn_writer_try_publish(vbn_writer* writer, uint64_t bytes) noexcept {
  return outcomeOf([&] { return between(writer).tryPublish(bytes); });
}

vbn_outcome vbn_writer_nudge(vbn_writer* writer) noexcept {
  return outcomeOf([&] { return inside(writer).nudge(); });
}

vbn_outcome vbn_writer_push(vbn_writer* writer, const void* message, uint64_t bytes,
                            uint64_t timeout_ns) noexcept {
  return outcomeOf([&] {
    auto all = span(static_cast<const std::byte*>(message), bytes, "the message");
    fifo::Writer& to = inside(writer);
    fifo::Pushing& state = pushing(*writer, all);
    Outcome outcome = timeout_ns == 0 ? to.push(state) : to.push(state, nanoseconds(timeout_ns));
    bool goesOn = outcome == Outcome::wouldBlock && state.begun;
    if (!goesOn) writer->pushing.reset();
    return outcome;
  });
}

vbn_outcome vbn_writer_flush(vbn_writer* writer, uint64_t timeout_ns) noexcept {
  return outcomeOf([&] { return inside(writer).flush(nanoseconds(timeout_ns)); });
}

vbn_outcome vbn_writer_close(vbn_writer* writer, uint64_t timeout_ns) noexcept {
  return outcomeOf([&] { return between(writer).close(nanoseconds(timeout_ns)); });
}

const void* vbn_writer_ring(const vbn_writer* writer, uint64_t* bytes) noexcept {
  const void* start = nullptr;
  quietly([&] { start = ringOf(inside(writer).ring(), bytes); });
  return start;
}

uint32_t vbn_writer_peer(const vbn_writer* writer) noexcept {
  uint32_t peer = 0;
  quietly([&] { peer = inside(writer).peer(); });
  return peer;
}

uint32_t vbn_writer_is_shared(const vbn_writer* writer) noexcept {
  uint32_t shared = 0;
  quietly([&] { shared = inside(writer).isShared() ? 1 : 0; });
  return shared;
}

int32_t vbn_writer_way(const vbn_writer* writer, char* text, uint64_t room) noexcept {
  int32_t way = -1;
  quietly([&] { way = wayOf(inside(writer), text, room); });
  return way;
}

uint64_t vbn_writer_published(const vbn_writer* writer) noexcept {
  uint64_t published = 0;
  quietly([&] { published = inside(writer).published(); });
  return published;
}

uint64_t vbn_writer_released(vbn_writer* writer) noexcept {
  uint64_t released = 0;
  quietly([&] { released = inside(writer).released(); });
  return released;
}

void vbn_writer_lost_because(const vbn_writer* writer, char* text, uint64_t room) noexcept {
  quietly([&] { abi::copyText(text, room, whyLost(need(writer, "the writer").inside)); });
}
