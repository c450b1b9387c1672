// SPDX-License-Identifier: Apache-2.0
//
// Channels in C++20: verbena/channel.h with owners, spans and times. Header-only; link what C
// links.
//
// What cannot be opened or connected is thrown, as an Error with the library's sentence, and so is
// misuse of an end: a length beyond what was claimed, say. What is to be expected of a channel -
// full, empty, ended, lost - is an Outcome. Nothing is allocated and nothing thrown between claim
// and publish, peek and release.
//
// Time: a call without a time tries; one with a time waits, and sleeps. Threads and what is
// promised: channel.h. Ends and connections may outlive their fabric: they throw then.
#ifndef VERBENA_CHANNEL_HPP
#define VERBENA_CHANNEL_HPP

#include <verbena/channel.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

namespace verbena {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class [[nodiscard]] Outcome : vbn_outcome{
    done = VBN_CHANNEL_DONE,
    wouldBlock = VBN_CHANNEL_WOULD_BLOCK,  ///< no room, or no message, within the time
    ended = VBN_CHANNEL_ENDED,             ///< the writer has closed it, and all it wrote was read
    lost = VBN_CHANNEL_LOST,               ///< the far end is gone; lostBecause() says why
    tooLarge = VBN_CHANNEL_TOO_LARGE,      ///< the message does not fit; nothing was done
};

namespace detail {

/// Of the call before, in this thread.
[[noreturn]] inline void fail() {
  throw Error(vbn_error());
}
inline void check(vbn_status status) {
  if (status != VBN_OK) [[unlikely]] {
    fail();
  }
}
inline Outcome outcomeOf(vbn_outcome outcome) {
  if (outcome == VBN_CHANNEL_FAILED) [[unlikely]] {
    fail();
  }
  return static_cast<Outcome>(outcome);
}
inline uint64_t nanos(std::chrono::nanoseconds time) {
  return time.count() < 0 ? 0 : static_cast<uint64_t>(time.count());
}
template <typename End>
std::string text(void (*say)(const End*, char*, uint64_t), const End* end) {
  std::array<char, 512> sentence{};
  say(end, sentence.data(), sentence.size());
  return sentence.data();
}
template <auto Free>
struct Freed {
  template <typename T>
  void operator()(T* handle) const {
    Free(handle);
  }
};

}  // namespace detail

/// A node that has channels.
class Fabric {
 public:
  /// struct_bytes is set here. Throws Error, for options without `channels` as well.
  explicit Fabric(vbn_fabric_options options) {
    options.struct_bytes = sizeof options;
    if (options.channels == 0) throw Error("the fabric would have no channels: set channels");
    vbn_fabric* opened = nullptr;
    detail::check(vbn_fabric_open(&options, &opened));
    handle_.reset(opened);
  }

  /// "host:port"
  std::string address() const { return vbn_fabric_address(get()); }
  /// Where a peer is looked for.
  void addPeer(uint32_t peer, const std::string& address) {
    detail::check(vbn_fabric_add_peer(get(), peer, address.c_str()));
  }
  /// For what is said in C alone.
  vbn_fabric* get() const { return handle_.get(); }

 private:
  std::unique_ptr<vbn_fabric, detail::Freed<vbn_fabric_close>> handle_;
};

/// The reading end: as long as it lives its writer can write.
class ChannelReader {
 public:
  using Time = std::chrono::nanoseconds;

  /// `ringBytes`: a power of two from 4,096 to 2^31. `worker`: who drives it. Throws Error.
  ChannelReader(const Fabric& fabric, uint32_t number, uint64_t ringBytes, uint32_t worker = 0) {
    vbn_reader* opened = nullptr;
    detail::check(vbn_worker_reader_open(fabric.get(), worker, number, ringBytes, &opened));
    handle_.reset(opened);
  }
  /// The same, which waits for a writer of `writerNode` alone.
  static ChannelReader from(const Fabric& fabric, uint32_t writerNode, uint32_t number,
                            uint64_t ringBytes, uint32_t worker = 0) {
    vbn_reader* opened = nullptr;
    detail::check(
        vbn_worker_reader_open_from(fabric.get(), worker, number, ringBytes, writerNode, &opened));
    return ChannelReader(opened);
  }
  /// Takes over one that C has made.
  explicit ChannelReader(vbn_reader* made) : handle_(made) {}

  /// The next message where it lies, until release(). tooLarge: pop it.
  Outcome peek(std::span<const std::byte>& message, Time timeout = Time::zero()) {
    const void* at = nullptr;
    uint64_t bytes = 0;
    auto got = detail::outcomeOf(vbn_reader_peek(get(), detail::nanos(timeout), &at, &bytes));
    if (got == Outcome::done) message = {static_cast<const std::byte*>(at), bytes};
    return got;
  }
  /// Done with the message that was peeked last.
  void release() { vbn_reader_release(get()); }
  /// The length of the next message. Does not wait.
  Outcome probe(uint64_t& bytes) { return detail::outcomeOf(vbn_reader_probe(get(), &bytes)); }
  /// Copies the next message; `bytes` is its length. wouldBlock goes on with the same place.
  Outcome pop(std::span<std::byte> into, uint64_t& bytes, Time timeout = Time::zero()) {
    return detail::outcomeOf(
        vbn_reader_pop(get(), into.data(), into.size(), detail::nanos(timeout), &bytes));
  }
  /// Throws the next message away. wouldBlock goes on.
  Outcome drop() {
    uint64_t bytes = 0;
    return detail::outcomeOf(vbn_reader_drop(get(), &bytes));
  }
  /// Behind a batch of releases: wakes a writer that waits for room, whatever its moment.
  Outcome nudge() { return detail::outcomeOf(vbn_reader_nudge(get())); }
  /// Tells a writer that does not share the memory at once what was released.
  void tell() { vbn_reader_tell(get()); }

  /// The node that writes; 0 as long as there is none.
  uint32_t peer() const { return vbn_reader_peer(get()); }
  /// In bytes of the ring since it began.
  uint64_t released() const { return vbn_reader_released(get()); }
  std::string lostBecause() const { return detail::text(vbn_reader_lost_because, get()); }
  vbn_reader* get() const { return handle_.get(); }

 private:
  std::unique_ptr<vbn_reader, detail::Freed<vbn_reader_free>> handle_;
};

/// The writing end. One that goes without close() is lost to its reader.
class ChannelWriter {
 public:
  using Time = std::chrono::nanoseconds;

  /// Waits until the reader is there. `worker`: who drives it. Throws Error.
  ChannelWriter(const Fabric& fabric, uint32_t readerNode, uint32_t number, Time timeout,
                uint32_t worker = 0) {
    vbn_writer* opened = nullptr;
    detail::check(vbn_worker_writer_open(fabric.get(), worker, readerNode, number,
                                         detail::nanos(timeout), &opened));
    handle_.reset(opened);
  }
  /// Takes over one that C has made.
  explicit ChannelWriter(vbn_writer* made) : handle_(made) {}

  /// The largest message that can be claimed.
  uint64_t mostInPlace() const { return vbn_writer_most_in_place(get()); }
  /// Where a message of so many bytes may be written; publish() follows, or another claim.
  Outcome claim(uint64_t bytes, std::span<std::byte>& place, Time timeout = Time::zero()) {
    void* at = nullptr;
    auto got = detail::outcomeOf(vbn_writer_claim(get(), bytes, detail::nanos(timeout), &at));
    if (got == Outcome::done) place = {static_cast<std::byte*>(at), bytes};
    return got;
  }
  /// So many bytes of what was claimed are a message. Throws Error if more are than that.
  void publish(uint64_t bytes) {
    if (vbn_writer_publish(get(), bytes) != VBN_CHANNEL_DONE) [[unlikely]] {
      detail::fail();
    }
  }
  /// As publish(), and never waits. wouldBlock: nudge() hands over what is left.
  Outcome tryPublish(uint64_t bytes) {
    return detail::outcomeOf(vbn_writer_try_publish(get(), bytes));
  }
  /// Behind a batch of messages: hands over what is left, wakes a reader, whatever its moment.
  Outcome nudge() { return detail::outcomeOf(vbn_writer_nudge(get())); }
  /// Copies a message of any size. wouldBlock goes on with the same message, and until it is done
  /// nothing else is written: that is thrown.
  Outcome push(std::span<const std::byte> message, Time timeout = Time::zero()) {
    return detail::outcomeOf(
        vbn_writer_push(get(), message.data(), message.size(), detail::nanos(timeout)));
  }
  /// Waits until what was published is in the reader's memory.
  Outcome flush(Time timeout) {
    return detail::outcomeOf(vbn_writer_flush(get(), detail::nanos(timeout)));
  }
  /// Ends the stream.
  Outcome close(Time timeout) {
    return detail::outcomeOf(vbn_writer_close(get(), detail::nanos(timeout)));
  }

  uint32_t peer() const { return vbn_writer_peer(get()); }
  /// Whether both ends use the same memory.
  bool isShared() const { return vbn_writer_is_shared(get()) != 0; }
  /// How its messages go, for people.
  std::string way() const {
    std::array<char, 256> sentence{};
    vbn_writer_way(get(), sentence.data(), sentence.size());
    return sentence.data();
  }
  /// In bytes of the ring since it began, as the next.
  uint64_t published() const { return vbn_writer_published(get()); }
  uint64_t released() { return vbn_writer_released(get()); }
  std::string lostBecause() const { return detail::text(vbn_writer_lost_because, get()); }
  vbn_writer* get() const { return handle_.get(); }

 private:
  std::unique_ptr<vbn_writer, detail::Freed<vbn_writer_free>> handle_;
};

/// A writer that is being opened, by a thread that has other things to do meanwhile.
class ChannelOpening {
 public:
  /// A ring of more than `mostRingBytes`, unless that is 0, is not written to. Throws Error.
  ChannelOpening(const Fabric& fabric, uint32_t readerNode, uint32_t number,
                 std::chrono::nanoseconds timeout, uint64_t mostRingBytes, uint32_t worker = 0) {
    vbn_opening* begun = nullptr;
    detail::check(vbn_worker_writer_begin(fabric.get(), worker, readerNode, number,
                                          detail::nanos(timeout), mostRingBytes, &begun));
    handle_.reset(begun);
  }
  /// Nothing: it goes on; ask again some milliseconds later, or when the worker's wait has ended.
  /// Throws Error where there will be none.
  std::optional<ChannelWriter> attempt() {
    vbn_writer* opened = nullptr;
    if (detail::outcomeOf(vbn_opening_try(handle_.get(), &opened)) != Outcome::done) {
      return std::nullopt;
    }
    return ChannelWriter(opened);
  }

 private:
  std::unique_ptr<vbn_opening, detail::Freed<vbn_opening_free>> handle_;
};

/// Two channels, one each way.
struct Connection {
  ChannelReader reader;
  ChannelWriter writer;
};

/// Connections by address; one of a fabric.
class Connections {
 public:
  using Time = std::chrono::nanoseconds;

  /// `ringBytes`: of each ring that this node reads. Throws Error.
  Connections(const Fabric& fabric, uint64_t ringBytes) {
    vbn_connections* opened = nullptr;
    detail::check(vbn_connections_open(fabric.get(), ringBytes, &opened));
    handle_.reset(opened);
  }

  /// So many others may wait to be accepted. Throws Error, also for more than half of `channels`.
  void listen(uint32_t backlog) { detail::check(vbn_connections_listen(get(), backlog)); }
  /// One that another node has made; nothing within the time. Throws Error where one could not be
  /// taken: there may be others behind it.
  std::optional<Connection> accept(Time timeout) {
    vbn_reader* reader = nullptr;
    vbn_writer* writer = nullptr;
    auto got =
        detail::outcomeOf(vbn_connections_accept(get(), detail::nanos(timeout), &reader, &writer));
    if (got != Outcome::done) return std::nullopt;
    return Connection{ChannelReader(reader), ChannelWriter(writer)};
  }
  /// Waits until somebody listens at "host:port". Throws Error.
  Connection connect(const std::string& address, Time timeout) {
    vbn_reader* reader = nullptr;
    vbn_writer* writer = nullptr;
    detail::check(
        vbn_connections_connect(get(), address.c_str(), detail::nanos(timeout), &reader, &writer));
    return {ChannelReader(reader), ChannelWriter(writer)};
  }
  vbn_connections* get() const { return handle_.get(); }

 private:
  std::unique_ptr<vbn_connections, detail::Freed<vbn_connections_free>> handle_;
};

}  // namespace verbena

#endif
