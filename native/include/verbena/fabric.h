/* SPDX-License-Identifier: Apache-2.0
 *
 * One-sided memory: a node reads and writes memory of another one without that node's processor.
 * What is promised of each operation is in docs/fabric.md.
 *
 * The rules of verbena.h hold: structures begin with their size where they may grow, no function
 * calls back, and vbn_error() has the sentence of what failed. vbn_operation, vbn_done and
 * vbn_signal, of which calls take arrays, have no size and never grow: what they lack will be
 * another structure's, with calls of its own.
 *
 * Threads: any thread may call anything at any time, but vbn_fabric_close(), vbn_region_free() and
 * vbn_remote_free() of what others use, and these: one thread at a time calls vbn_fabric_poll(),
 * one vbn_fabric_signals(), one arms and waits, of each worker. Somebody calls vbn_fabric_poll()
 * all the time, or waits: nothing is done by itself. Peers reach memory that is shared without its
 * node's doing, but a link that has ended is made anew only where both sides make rounds.
 */
#ifndef VERBENA_FABRIC_H
#define VERBENA_FABRIC_H

#include <verbena.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- nodes -------------------------------------------------------------------------------------
 */

/** A node that nobody numbers: it takes an id above 65,535 by chance. */
#define VBN_ANY_NODE 0xFFFFFFFFu

/** Of a member that is 0 or null the default is taken. */
typedef struct vbn_fabric_options {
  uint32_t struct_bytes;
  uint32_t node_id;     /**< 0 to 65,535 if somebody numbers the nodes; VBN_ANY_NODE */
  uint64_t incarnation; /**< one life of the node; 0: a random one. Keys of another life are dead */
  const char* cluster;  /**< nodes of other clusters are refused; "default" */
  const uint8_t* key;   /**< the cluster's secret; null for none. Copied. */
  uint64_t key_bytes;
  const char* listen;       /**< "host:port" (UDP), port 0 for any; "0.0.0.0:0" */
  const vbn_wishes* device; /**< null for none */
  uint32_t kernel_only;     /**< 1: softnic is not good enough unless it is wished for by name */
  uint32_t max_links;       /**< 256 */
  uint32_t operations;      /**< of one link that may be under way; 64 */
  uint32_t signals;         /**< that one link may bring and nobody has taken yet; 32 */
  uint64_t heartbeat_ns;    /**< a silent peer is asked for a sign of life after this; 0.5 s */
  uint64_t dead_after_ns;   /**< and taken for dead after this; 2 s */
  uint32_t channels;        /**< of each worker that may be linked at a time (channel.h), besides
                                 max_links; 0: none */
  uint32_t device_only;     /**< 1: nothing goes by memory that both processes map (vbn_fabric_way,
                                 vbn_writer_is_shared), operations and channels alike */
  /** 1: who waits at a channel sleeps at once, where there are fewer processors than threads that
   * would look busily. A wake-up costs microseconds. */
  uint32_t sleeps_at_once;
  uint32_t workers; /**< 1 to 16, each for a thread of its own; 1 */
} vbn_fabric_options;

/** One node: a device, what drives it, and its links. */
typedef struct vbn_fabric vbn_fabric;

VBN_API vbn_status vbn_fabric_open(const vbn_fabric_options* options,
                                   vbn_fabric** opened) VBN_NOEXCEPT;
/** Closes every link and waits for their ends, up to a second or so; what is under way is not told
 * of any more. No other call may be going on or follow, but of regions, remotes, and ends and
 * connections of channels, which are freed on their own, before or afterwards. Null is let pass. */
VBN_API void vbn_fabric_close(vbn_fabric* fabric) VBN_NOEXCEPT;

/** The fabric of an endpoint that was opened with room for one (vbn_endpoint_options): the same
 * node, life, device and address, and each session with a peer carries links of both. Of those
 * options max_links, signals, channels and device_only count; the rest is the endpoint's, and a
 * link has as many operations as a connection there has sends. Once in an endpoint's life. It is
 * closed before the endpoint, which goes on without it. Rounds of either do the work of both; news
 * of its links come when vbn_endpoint_news() has been asked. */
VBN_API vbn_status vbn_endpoint_fabric(vbn_endpoint* endpoint, vbn_fabric** opened) VBN_NOEXCEPT;

/** For who is about to close: other threads that connect are told that there is no link, and nobody
 * connects from here on. */
VBN_API void vbn_fabric_stop(vbn_fabric* fabric) VBN_NOEXCEPT;

/** Where the node is reached, "host:port". Valid until it is closed, like the next. */
VBN_API const char* vbn_fabric_address(const vbn_fabric* fabric) VBN_NOEXCEPT;
/** Sentences: which device was chosen and why; null behind the last. */
VBN_API const char* vbn_fabric_describe(const vbn_fabric* fabric, uint32_t number) VBN_NOEXCEPT;

/** The device has none. */
#define VBN_ATOMICS_NONE 0u
/** They are atomic with each other alone, as with most adapters: a value that a processor writes
 * meanwhile may be lost. */
#define VBN_ATOMICS_OF_DEVICE 1u
/** They are atomic with atomic instructions of the host's processors, too. */
#define VBN_ATOMICS_OF_PROCESSORS 2u
/** Atomics of 8 bytes on memory of this node: one of VBN_ATOMICS_*, as its device says
 * (ibv_device_attr.atomic_cap). */
VBN_API uint32_t vbn_fabric_atomics(const vbn_fabric* fabric) VBN_NOEXCEPT;

/* ---- links -------------------------------------------------------------------------------------
 *
 * A node has at most one link with each peer, or one on each rail (below, workers). One that has
 * failed is closed by itself, and its number never comes again: ask for a new one. */

/** Where a peer is looked for, "host:port" or "[v6]:port"; replaces a former address. */
VBN_API vbn_status vbn_fabric_add_peer(vbn_fabric* fabric, uint32_t peer,
                                       const char* address) VBN_NOEXCEPT;
/** The peer is not looked for any more; a link with it goes down. */
VBN_API vbn_status vbn_fabric_remove_peer(vbn_fabric* fabric, uint32_t peer) VBN_NOEXCEPT;
/** The same, of one that is known to be gone: links, channels and dials with it end with this
 * reason. */
VBN_API vbn_status vbn_fabric_give_up(vbn_fabric* fabric, uint32_t peer,
                                      const char* reason) VBN_NOEXCEPT;
/** The link with a peer; connects and waits if there is none, and makes rounds meanwhile. A peer
 * whose end of a former link is not driven cannot make a new one. */
VBN_API vbn_status vbn_fabric_link(vbn_fabric* fabric, uint32_t peer, uint64_t timeout_ns,
                                   uint64_t* link) VBN_NOEXCEPT;
/** The link with a peer that is up, else 0. */
VBN_API uint64_t vbn_fabric_find(const vbn_fabric* fabric, uint32_t peer) VBN_NOEXCEPT;
/** Begins to connect, unless that is done or going on; how it ends is news. */
VBN_API vbn_status vbn_fabric_dial(vbn_fabric* fabric, uint32_t peer,
                                   uint64_t timeout_ns) VBN_NOEXCEPT;
/** Begins to take a link down, and does not wait: nobody finds it any more when this returns, and
 * who asks for one gets another. The far side is told the reason later, operations under way end in
 * vbn_fabric_poll(), and the link's memory and its place among max_links are free when
 * VBN_NEWS_GONE is told, which takes rounds of this node. */
VBN_API void vbn_fabric_unlink(vbn_fabric* fabric, uint64_t link, const char* reason) VBN_NOEXCEPT;
/** As vbn_endpoint_news(). The last 4096 are kept. */
VBN_API int32_t vbn_fabric_news(vbn_fabric* fabric, vbn_news* news) VBN_NOEXCEPT;

/** What a link has done since it began. */
typedef struct vbn_link_counters {
  uint32_t struct_bytes;
  uint32_t peer;
  uint32_t relinks; /**< links with this peer, on this rail, that ended before it; 0 of those
                         beyond the first 16,384 that are nodes 0 to 65,535, and as many others */
  uint32_t reserved;
  uint64_t puts; /**< operations that were begun, like the next ones */
  uint64_t gets;
  uint64_t atomics;
  uint64_t flushes;
  uint64_t signals; /**< of puts */
  uint64_t put_bytes;
  uint64_t got_bytes;
  uint64_t by_mapping; /**< operations that went by memory that both processes map */
  uint64_t by_device;
  uint64_t no_room; /**< posts for which there was no room */
  uint64_t refused; /**< posts that were refused */
  uint64_t failed;  /**< operations that ended otherwise than done */
} vbn_link_counters;

/** Takes no lock. VBN_FAILED: the link is not there (any more). */
VBN_API vbn_status vbn_fabric_link_counters(const vbn_fabric* fabric, uint64_t link,
                                            vbn_link_counters* counters) VBN_NOEXCEPT;
/** The links that are up, whoever has dialled, as many as there is room for; returns how many. */
VBN_API uint32_t vbn_fabric_links(const vbn_fabric* fabric, uint64_t* links,
                                  uint32_t room) VBN_NOEXCEPT;

/* ---- memory ------------------------------------------------------------------------------------
 */

/** Memory that operations work on: at their own end as it is, at the far end as far as keys of it
 * have been shared. */
typedef struct vbn_region vbn_region;

/** Zeroed, page-aligned memory, which peers of this host can map, whatever the device, while
 * /dev/shm has room: operations on it are executed by who posts them (vbn_fabric_way). Where that
 * is full an adapter gets ordinary memory, and operations go by it. */
VBN_API vbn_status vbn_region_allocate(vbn_fabric* fabric, uint64_t bytes,
                                       vbn_region** region) VBN_NOEXCEPT;
/** The caller's own memory, which stays valid until the region is freed. */
VBN_API vbn_status vbn_region_register(vbn_fabric* fabric, void* memory, uint64_t bytes,
                                       vbn_region** region) VBN_NOEXCEPT;
/** Its keys are dead when this returns, and allocated memory is gone. An operation under way that
 * uses it fails, and the link with it. Possible before and after the node's close. Null is let
 * pass. */
VBN_API void vbn_region_free(vbn_region* region) VBN_NOEXCEPT;
VBN_API void* vbn_region_memory(const vbn_region* region) VBN_NOEXCEPT;
VBN_API uint64_t vbn_region_bytes(const vbn_region* region) VBN_NOEXCEPT;

#define VBN_REMOTE_GET 1u
#define VBN_REMOTE_PUT 2u
#define VBN_REMOTE_ATOMIC 4u

/** What is sent, in any message, to those who are to operate on shared memory. */
#define VBN_KEY_BYTES 36u

/** Lets others operate on a part of a region, until that is revoked. `access`: a sum of
 * VBN_REMOTE_*. The key reaches these bytes and no others. `key`: room for VBN_KEY_BYTES.
 * VBN_FAILED: the node was closed, or these bytes cannot be shared so. */
VBN_API vbn_status vbn_region_share(vbn_region* region, uint64_t offset, uint64_t length,
                                    uint32_t access, uint8_t* key) VBN_NOEXCEPT;
/** When it returns VBN_OK nothing is read or written through the key any more, also by a peer that
 * was stopped in the middle, for which it waits up to a second. If it fails call it again. */
VBN_API vbn_status vbn_region_revoke(vbn_region* region, const uint8_t* key) VBN_NOEXCEPT;

/** Memory of a peer, as a key names it. */
typedef struct vbn_remote vbn_remote;

/** VBN_FAILED if the bytes are no key. Whether it works is known when it is used. */
VBN_API vbn_status vbn_remote_open(const uint8_t* key, uint64_t key_bytes,
                                   vbn_remote** remote) VBN_NOEXCEPT;
/** Operations under way do not need it any more. Null is let pass. */
VBN_API void vbn_remote_free(vbn_remote* remote) VBN_NOEXCEPT;
/** The node whose memory it is. */
VBN_API uint32_t vbn_remote_owner(const vbn_remote* remote) VBN_NOEXCEPT;
VBN_API uint64_t vbn_remote_bytes(const vbn_remote* remote) VBN_NOEXCEPT;

/* ---- operations --------------------------------------------------------------------------------
 */

#define VBN_PUT 0u
#define VBN_GET 1u
/** Of 8 bytes at a multiple of 8, like the next, or of 4 at a multiple of 4, as `length` says: of 4
 * they go by mapped memory alone, and are refused where there is none (vbn_fabric_way). What was
 * there before comes to the local region. */
#define VBN_FETCH_ADD 2u
#define VBN_COMPARE_SWAP 3u
/** Done when what was posted before it on the link is, and can be seen at the target. Has a cookie
 * and nothing else. */
#define VBN_FLUSH 4u

/** It begins only when every get and atomic of its link before it is done. */
#define VBN_FENCE 1u
/** Of a put: the target hears of it, behind the bytes, with the number in `signal`. */
#define VBN_SIGNAL 2u

typedef struct vbn_operation {
  uint32_t kind;           /**< VBN_PUT and so on */
  uint32_t flags;          /**< VBN_FENCE, VBN_SIGNAL, or both added */
  const vbn_region* local; /**< what freeing it too early does is said of vbn_region_free() */
  uint64_t local_offset;
  const vbn_remote* remote;
  uint64_t offset;  /**< in what the remote's key names */
  uint64_t length;  /**< in bytes; of an atomic 8, or 4 */
  uint64_t operand; /**< what is added, or compared */
  uint64_t swap;    /**< what is stored if the comparison holds */
  uint64_t cookie;  /**< comes back in vbn_done */
  uint32_t signal;
  uint32_t reserved; /**< 0 */
} vbn_operation;

/** Begins operations on a link, in their order. Says how many: where it is fewer there is no room
 * for more now, or the next one is refused, which is told of when it comes first. VBN_FAILED: the
 * first one cannot be posted, or the link is not up; nothing was begun, and nothing else is
 * disturbed. May wait for another thread's post on the same link, never for a device or a peer. */
VBN_API vbn_status vbn_fabric_post(vbn_fabric* fabric, uint64_t link,
                                   const vbn_operation* operations, uint32_t count,
                                   uint32_t* posted) VBN_NOEXCEPT;

/** How operations of a link go: 1 by memory that both processes map, where they can (memory that
 * was allocated, while nothing of the link is open at the device), 0 by the device alone, -1 the
 * link is not there. Writes a sentence for people, which says why not, into `text`, of `bytes`
 * bytes with the zero, unless that is null. */
VBN_API int32_t vbn_fabric_way(vbn_fabric* fabric, uint64_t link, char* text,
                               uint64_t bytes) VBN_NOEXCEPT;

#define VBN_OUTCOME_DONE 0u /**< executed; a get or an atomic has its result */
/** By a device: an atomic was not executed, of a put or get some or all bytes may have moved. */
#define VBN_OUTCOME_REFUSED 1u
/** Executed, or not: the link ended first, or an atomic's target has taken its memory away while
 * this process stood still, and the link ends with that. */
#define VBN_OUTCOME_UNKNOWN 2u

typedef struct vbn_done {
  uint64_t cookie;
  uint64_t offset; /**< as they were asked for, like the next */
  uint64_t length;
  uint32_t key; /**< the number by which the device knows what the operation went to */
  uint32_t peer;
  uint32_t outcome;
  uint32_t kind;
  uint32_t status; /**< of the device, as in verbs: ibv_wc_status */
  uint32_t reserved;
} vbn_done;

/** Up to `room` operations that are done: each is told of once, those of a link in the order in
 * which they were posted. Returns how many. Makes a round, which goes on with everything, if there
 * are none yet, and else in one call of 16. */
VBN_API uint32_t vbn_fabric_poll(vbn_fabric* fabric, vbn_done* done, uint32_t room) VBN_NOEXCEPT;
/** Writes what became of an operation, for people, into `text`, of `bytes` bytes with the zero. */
VBN_API void vbn_done_sentence(const vbn_done* done, char* text, uint64_t bytes) VBN_NOEXCEPT;

/** Waits until everything that was posted before, by whatever thread, on all links of worker 0 has
 * ended, however it has, and what was done can be seen at its targets. What is posted meanwhile is
 * not waited for. Makes rounds, looks busily for a moment and sleeps then; a time of 0 makes one
 * round. VBN_FAILED: the time is over; call it again.
 *
 * Takes nothing from vbn_fabric_poll(), which has all of it by then: who does not poll has no room
 * to post after a while. `failed`, unless it is null: how many operations of the worker have ended
 * otherwise than done since it was opened. Where that has grown something has failed, and
 * vbn_fabric_poll() says what. Any thread, also beside those that poll and wait. */
VBN_API vbn_status vbn_fabric_quiet(vbn_fabric* fabric, uint64_t timeout_ns,
                                    uint64_t* failed) VBN_NOEXCEPT;

/** A put with VBN_SIGNAL has arrived; its bytes are there. */
typedef struct vbn_signal {
  uint64_t link;
  uint32_t peer;
  uint32_t value;
} vbn_signal;

/** One round, and then up to `room` signals of peers; returns how many. Who does not take them
 * keeps those peers from signalling more: vbn_fabric_post() has no room for that there. */
VBN_API uint32_t vbn_fabric_signals(vbn_fabric* fabric, vbn_signal* signals,
                                    uint32_t room) VBN_NOEXCEPT;

/* ---- waiting -----------------------------------------------------------------------------------
 */

/** From here on whatever vbn_fabric_poll() or vbn_fabric_signals() could bring, news, and
 * vbn_fabric_wake() end the next wait. Ask all three once more before it. */
VBN_API void vbn_fabric_arm(vbn_fabric* fabric) VBN_NOEXCEPT;
/** Blocks until one of them, or the time is over. May return for nothing. */
VBN_API void vbn_fabric_wait(vbn_fabric* fabric, uint64_t timeout_ns) VBN_NOEXCEPT;
VBN_API void vbn_fabric_wake(vbn_fabric* fabric) VBN_NOEXCEPT;
/** For poll() and epoll, instead of blocking: readable from vbn_fabric_arm() on when
 * vbn_fabric_wait() would not block. A wait of no time follows then. Closed with the node. */
VBN_API int32_t vbn_fabric_descriptor(const vbn_fabric* fabric) VBN_NOEXCEPT;

/* ---- workers -----------------------------------------------------------------------------------
 *
 * A node has as many as its options say, numbered from 0. Each is for one thread, and what its
 * thread does shares no lock with the others. A worker drives the links of certain rails, round and
 * round: of two workers the second has the links of the rails 1, 3 and so on. A rail is a number
 * that whoever asks for a link chooses, 0 to 65,535; it says at both ends who drives it.
 *
 * Any thread posts on any link. What is done, and signals, come from the worker that drives the
 * link, and max_links and operations are for each. The calls above that name no worker are those of
 * worker 0, and of rail 0; news are told to whoever asks first, and each worker is woken for
 * them. */

/** As vbn_fabric_link(), of a rail; makes rounds of the worker that drives it. */
VBN_API vbn_status vbn_worker_link(vbn_fabric* fabric, uint32_t rail, uint32_t peer,
                                   uint64_t timeout_ns, uint64_t* link) VBN_NOEXCEPT;
/** The link with a peer on a rail that is up, else 0. */
VBN_API uint64_t vbn_worker_find(const vbn_fabric* fabric, uint32_t rail,
                                 uint32_t peer) VBN_NOEXCEPT;
/** As vbn_fabric_poll(). A worker that is not there has nothing, as in the calls below. */
VBN_API uint32_t vbn_worker_poll(vbn_fabric* fabric, uint32_t worker, vbn_done* done,
                                 uint32_t room) VBN_NOEXCEPT;
/** As vbn_fabric_quiet(). VBN_INVALID: the worker is not there. */
VBN_API vbn_status vbn_worker_quiet(vbn_fabric* fabric, uint32_t worker, uint64_t timeout_ns,
                                    uint64_t* failed) VBN_NOEXCEPT;
VBN_API uint32_t vbn_worker_signals(vbn_fabric* fabric, uint32_t worker, vbn_signal* signals,
                                    uint32_t room) VBN_NOEXCEPT;
VBN_API void vbn_worker_arm(vbn_fabric* fabric, uint32_t worker) VBN_NOEXCEPT;
VBN_API void vbn_worker_wait(vbn_fabric* fabric, uint32_t worker, uint64_t timeout_ns) VBN_NOEXCEPT;
VBN_API void vbn_worker_wake(vbn_fabric* fabric, uint32_t worker) VBN_NOEXCEPT;
VBN_API int32_t vbn_worker_descriptor(const vbn_fabric* fabric, uint32_t worker) VBN_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
