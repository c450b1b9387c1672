/* SPDX-License-Identifier: Apache-2.0
 *
 * FIFO channels: messages from one writer to one reader. A channel is named by the reader's node
 * and a number of that node's. What is promised is in docs/channel.md; the node comes from
 * fabric.h, whose rules hold, opened with `channels` in its options.
 *
 * Threads: an end is used by one thread at a time, the ends of one node by as many as there are.
 * There is no thread of their own: calls of ends do the rounds of their worker (fabric.h), and so
 * does vbn_worker_poll(). Other threads may wait on the same worker meanwhile (vbn_worker_wait()),
 * but not on its descriptor while a call of an end waits. Ends of two workers share no lock but
 * while they are opened and freed. Calls that name no worker are those of worker 0, and so are
 * connections.
 *
 * vbn_fabric_close() ends what is left of a node's ends and connections, as freeing them does.
 * Rings, messages that are shown and places that are claimed are gone then, and calls of these
 * handles fail; they are freed all the same.
 */
#ifndef VERBENA_CHANNEL_H
#define VERBENA_CHANNEL_H

#include <verbena/fabric.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How a call of an end came out. */
typedef int32_t vbn_outcome;
#define VBN_CHANNEL_DONE 0
/** Nothing was done within the time: no room, or no message. Where the time is 0 nothing waits. */
#define VBN_CHANNEL_WOULD_BLOCK 1
#define VBN_CHANNEL_ENDED 2 /**< the writer has closed the channel, and all it wrote was read */
#define VBN_CHANNEL_LOST 3  /**< the far end is gone; vbn_..._lost_because() says why */
/** The message does not fit: in the ring as a whole, or where it is to be put. Nothing was done. */
#define VBN_CHANNEL_TOO_LARGE 4
#define VBN_CHANNEL_FAILED (-1) /**< a bad argument, or no memory; vbn_error() says which */

#define VBN_CHANNEL_MOST_NUMBER 16383u

/* ---- reading -----------------------------------------------------------------------------------
 */

typedef struct vbn_reader vbn_reader;

/** The reading end of the channel of this number: whoever writes to it finds it from here on.
 * `capacity` of the ring, in bytes: a power of two from 4,096 to 2^31. */
VBN_API vbn_status vbn_reader_open(vbn_fabric* fabric, uint32_t number, uint64_t capacity,
                                   vbn_reader** opened) VBN_NOEXCEPT;
/** The same, driven by a worker of the node. Numbers are the node's, whatever worker reads them:
 * a writer does not know. */
VBN_API vbn_status vbn_worker_reader_open(vbn_fabric* fabric, uint32_t worker, uint32_t number,
                                          uint64_t capacity, vbn_reader** opened) VBN_NOEXCEPT;
/** The same, which waits for a writer of this node alone: any other is told that nobody reads. */
VBN_API vbn_status vbn_worker_reader_open_from(vbn_fabric* fabric, uint32_t worker, uint32_t number,
                                               uint64_t capacity, uint32_t writer_node,
                                               vbn_reader** opened) VBN_NOEXCEPT;
/** A writer that still writes is told that nobody reads any more. Before or after the node is
 * closed. Null is let pass. */
VBN_API void vbn_reader_free(vbn_reader* reader) VBN_NOEXCEPT;

/** The next message as it lies in the ring; it stays there until it is released. Too large: it does
 * not lie there as a whole; pop it. */
VBN_API vbn_outcome vbn_reader_peek(vbn_reader* reader, uint64_t timeout_ns, const void** message,
                                    uint64_t* bytes) VBN_NOEXCEPT;
/** Done with the message that was peeked at last: the writer may write over it. */
VBN_API void vbn_reader_release(vbn_reader* reader) VBN_NOEXCEPT;
/** The length of the next message. Does not wait. */
VBN_API vbn_outcome vbn_reader_probe(vbn_reader* reader, uint64_t* bytes) VBN_NOEXCEPT;
/** Copies the next message, of any size, into `room` bytes. Would block: a part of it may be copied
 * already; call it again with the same place, which goes on. */
VBN_API vbn_outcome vbn_reader_pop(vbn_reader* reader, void* into, uint64_t room,
                                   uint64_t timeout_ns, uint64_t* bytes) VBN_NOEXCEPT;
/** Throws the next message away, whatever its size. Would block: not all of it has come; call it
 * again. `bytes`: its length, or what of it has gone. Does not wait. */
VBN_API vbn_outcome vbn_reader_drop(vbn_reader* reader, uint64_t* bytes) VBN_NOEXCEPT;

/** Behind a batch of releases: wakes a writer that waits for the room of them, also one that fell
 * asleep in the moment of a release. Would block: a writer that does not share the memory cannot be
 * told now; call it again when the worker's wait has ended. */
VBN_API vbn_outcome vbn_reader_nudge(vbn_reader* reader) VBN_NOEXCEPT;
/** Tells a writer that does not share the memory at once what was released. For readers of which it
 * counts what they have not done yet. */
VBN_API void vbn_reader_tell(vbn_reader* reader) VBN_NOEXCEPT;
/** Where the ring begins in which messages are shown, and how many bytes it has; until the reader
 * is freed. For languages that check where they read. */
VBN_API const void* vbn_reader_ring(const vbn_reader* reader, uint64_t* bytes) VBN_NOEXCEPT;

/** The node that writes; 0 as long as there is none. */
VBN_API uint32_t vbn_reader_peer(const vbn_reader* reader) VBN_NOEXCEPT;
/** As vbn_writer_way(); of what goes by the device this end counts the words on room. */
VBN_API int32_t vbn_reader_way(const vbn_reader* reader, char* text, uint64_t room) VBN_NOEXCEPT;
/** Up to where the writer may write over what was read, in bytes of the ring since it began. */
VBN_API uint64_t vbn_reader_released(const vbn_reader* reader) VBN_NOEXCEPT;
/** Writes why the far end is lost, for people, into `text`, of `room` bytes with the zero. */
VBN_API void vbn_reader_lost_because(const vbn_reader* reader, char* text,
                                     uint64_t room) VBN_NOEXCEPT;

/* ---- writing -----------------------------------------------------------------------------------
 */

typedef struct vbn_writer vbn_writer;

/** The writing end. Connects, and waits until the reader is there. Nobody else writes to it. */
VBN_API vbn_status vbn_writer_open(vbn_fabric* fabric, uint32_t reader_node, uint32_t number,
                                   uint64_t timeout_ns, vbn_writer** opened) VBN_NOEXCEPT;
/** The same, driven by a worker of the node, whatever worker the reader is of. */
VBN_API vbn_status vbn_worker_writer_open(vbn_fabric* fabric, uint32_t worker, uint32_t reader_node,
                                          uint32_t number, uint64_t timeout_ns,
                                          vbn_writer** opened) VBN_NOEXCEPT;
/** A writer that is being opened, by a thread that has other things to do meanwhile. */
typedef struct vbn_opening vbn_opening;

/** Begins what vbn_worker_writer_open() does. A ring of more than `most_ring_bytes`, unless that is
 * 0, is not written to: messages by the device take as many bytes here. */
VBN_API vbn_status vbn_worker_writer_begin(vbn_fabric* fabric, uint32_t worker,
                                           uint32_t reader_node, uint32_t number,
                                           uint64_t timeout_ns, uint64_t most_ring_bytes,
                                           vbn_opening** begun) VBN_NOEXCEPT;
/** Goes on with it and does not wait. Would block: call it again, some milliseconds later, or when
 * the worker's wait has ended. Done: `opened` is the writer. Failed: there will be none. It is
 * freed then, as any further call fails. */
VBN_API vbn_outcome vbn_opening_try(vbn_opening* opening, vbn_writer** opened) VBN_NOEXCEPT;
/** Whether it has come to its end or not. Before or after the node is closed. Null is let pass. */
VBN_API void vbn_opening_free(vbn_opening* opening) VBN_NOEXCEPT;
/** Unless it was closed the reader is told that its writer is lost. Before or after the node is
 * closed. Null is let pass. */
VBN_API void vbn_writer_free(vbn_writer* writer) VBN_NOEXCEPT;

/** The largest message that lies in the ring as a whole. */
VBN_API uint64_t vbn_writer_most_in_place(const vbn_writer* writer) VBN_NOEXCEPT;
/** Where a message of so many bytes may be written; vbn_writer_publish() follows, or another claim,
 * which takes its place. */
VBN_API vbn_outcome vbn_writer_claim(vbn_writer* writer, uint64_t bytes, uint64_t timeout_ns,
                                     void** at) VBN_NOEXCEPT;
/** So many bytes of what was claimed are a message; failed if more are than that. Where memory is
 * shared it does not wait. By the device it hands the message over, which arrives without further
 * calls then; a claim finds room for that. Where the device takes it not yet all the same, or the
 * link of a connection that was just accepted is not up on this side, it makes rounds, busily,
 * until that is so or the link ends, as that with a dead peer does after dead_after_ns. The same
 * holds of each piece that is pushed, whatever the time. */
VBN_API vbn_outcome vbn_writer_publish(vbn_writer* writer, uint64_t bytes) VBN_NOEXCEPT;
/** As vbn_writer_publish(), and never waits. Would block: it is a message all the same, and the
 * device does not take all of it yet: vbn_writer_nudge() goes on. */
VBN_API vbn_outcome vbn_writer_try_publish(vbn_writer* writer, uint64_t bytes) VBN_NOEXCEPT;
/** Behind a batch of messages: hands to the device what it has not taken yet, and wakes a reader
 * that sleeps, also one that fell asleep in the moment of a publish. Would block: the device has no
 * room now; call it again when the worker's wait has ended. */
VBN_API vbn_outcome vbn_writer_nudge(vbn_writer* writer) VBN_NOEXCEPT;
/** Copies a message of any size. Would block: a part of it may be written already; call it again
 * with the same message, which goes on. Until that is done nothing else is written: failed. */
VBN_API vbn_outcome vbn_writer_push(vbn_writer* writer, const void* message, uint64_t bytes,
                                    uint64_t timeout_ns) VBN_NOEXCEPT;
/** Waits until what was published is in the reader's memory. */
VBN_API vbn_outcome vbn_writer_flush(vbn_writer* writer, uint64_t timeout_ns) VBN_NOEXCEPT;
/** Ends the stream: the reader reads all there is, and that it has ended. Lost, would block: it is
 * not known whether the reader has got it. */
VBN_API vbn_outcome vbn_writer_close(vbn_writer* writer, uint64_t timeout_ns) VBN_NOEXCEPT;

/** As vbn_reader_ring(), of the one in which messages are claimed. */
VBN_API const void* vbn_writer_ring(const vbn_writer* writer, uint64_t* bytes) VBN_NOEXCEPT;
VBN_API uint32_t vbn_writer_peer(const vbn_writer* writer) VBN_NOEXCEPT;
/** Whether both ends use the same memory. */
VBN_API uint32_t vbn_writer_is_shared(const vbn_writer* writer) VBN_NOEXCEPT;
/** How its messages go: 1 by memory that both ends map, 0 by the device, -1 there is no link.
 * Writes a sentence for people, which says by what device and wire, and how much, into `text`, of
 * `room` bytes with the zero, unless that is null. */
VBN_API int32_t vbn_writer_way(const vbn_writer* writer, char* text, uint64_t room) VBN_NOEXCEPT;
/** Both in bytes of the ring since it began. What was released is known exactly where the ring is
 * shared, else at least so far; also once the reader is lost. */
VBN_API uint64_t vbn_writer_published(const vbn_writer* writer) VBN_NOEXCEPT;
VBN_API uint64_t vbn_writer_released(vbn_writer* writer) VBN_NOEXCEPT;
VBN_API void vbn_writer_lost_because(const vbn_writer* writer, char* text,
                                     uint64_t room) VBN_NOEXCEPT;

/* ---- event loops -------------------------------------------------------------------------------
 *
 * A thread that waits for other descriptors, too, sleeps in its own poll() or epoll, on
 * vbn_worker_descriptor() beside those. It calls ends with a time of 0, arms them, looks at each
 * once more, sleeps, and disarms them whatever has come. It may sleep for ever if the far ends
 * nudge; else it may miss a wake-up, and sleeps for some milliseconds at most. No other thread
 * waits on the worker. */

/** From here on what comes to these ends, messages, room and their loss, makes the descriptor
 * readable, as what vbn_worker_arm() says does. Of writers those that have found no room: any other
 * is woken by each release of its reader. Invalid: an end is not of the worker. */
VBN_API vbn_status vbn_worker_arm_channels(vbn_fabric* fabric, uint32_t worker,
                                           vbn_reader* const* readers, uint32_t reader_count,
                                           vbn_writer* const* writers,
                                           uint32_t writer_count) VBN_NOEXCEPT;
/** With the same ends. Makes a round. */
VBN_API vbn_status vbn_worker_disarm_channels(vbn_fabric* fabric, uint32_t worker,
                                              vbn_reader* const* readers, uint32_t reader_count,
                                              vbn_writer* const* writers,
                                              uint32_t writer_count) VBN_NOEXCEPT;

/* ---- connections -------------------------------------------------------------------------------
 * Two channels, one each way, between a node that listens and one that connects, which needs to
 * know the address of the other and nothing else.
 *
 * Threads: any thread connects; one at a time accepts.
 */

typedef struct vbn_connections vbn_connections;

/** One for a node. `ring_bytes`: of each ring that this node reads, a power of two from 4,096 to
 * 2^31. */
VBN_API vbn_status vbn_connections_open(vbn_fabric* fabric, uint64_t ring_bytes,
                                        vbn_connections** opened) VBN_NOEXCEPT;
/** Connections that were made or accepted go on. Before or after the node is closed. Null is let
 * pass. */
VBN_API void vbn_connections_free(vbn_connections* connections) VBN_NOEXCEPT;
/** From here on others may connect, by vbn_fabric_address(). When `backlog` of them wait to be
 * accepted nobody else begins; there may be as many besides that have begun and are not whole yet.
 * Their rings are made now. 0: nobody connects any more. Failed: `backlog` is more than half of the
 * node's `channels`, as a connection takes two, or a ring cannot be made; it goes on as before. */
VBN_API vbn_status vbn_connections_listen(vbn_connections* connections,
                                          uint32_t backlog) VBN_NOEXCEPT;
/** A connection that another node has made. The two ends are the caller's, to be freed one by one.
 * Failed: one could not be taken; there may be others behind it. Each call makes, before it
 * returns, the ring for the next that comes, also one with no time and one that brings nothing:
 * that takes memory and descriptors, and fails where there are none. Who stops accepting has no
 * more connections than `backlog` allows. */
VBN_API vbn_outcome vbn_connections_accept(vbn_connections* connections, uint64_t timeout_ns,
                                           vbn_reader** reader, vbn_writer** writer) VBN_NOEXCEPT;
/** Connects with the node that listens at an address, "host:port". Waits until it listens; fails at
 * once where there is no node. VBN_INVALID: it is this node itself. */
VBN_API vbn_status vbn_connections_connect(vbn_connections* connections, const char* address,
                                           uint64_t timeout_ns, vbn_reader** reader,
                                           vbn_writer** writer) VBN_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
