/* SPDX-License-Identifier: Apache-2.0
 *
 * The C ABI of libverbena: everything the library exports.
 */
#ifndef VERBENA_H
#define VERBENA_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define VBN_NOEXCEPT noexcept
#else
#define VBN_NOEXCEPT
#endif

#define VBN_API __attribute__((visibility("default")))

/** The version of this header. Functions and trailing struct members are only ever added within one
 * version. */
#define VBN_ABI_VERSION 2u

/** The version of the loaded library; a caller refuses one that differs from its VBN_ABI_VERSION.
 */
VBN_API uint32_t vbn_abi_version(void) VBN_NOEXCEPT;

/* ---- status ------------------------------------------------------------------------------------
 */

typedef int32_t vbn_status;
#define VBN_OK 0
#define VBN_INVALID 1 /**< an argument is null, out of range, or of a size that is not known */
#define VBN_FAILED 2  /**< it could not be done; vbn_error() says why */

/** Why the last call of this thread that did not return VBN_OK failed; "" before the first. Valid
 * until the thread's next call that fails. */
VBN_API const char* vbn_error(void) VBN_NOEXCEPT;

/* ---- devices -----------------------------------------------------------------------------------
 *
 * Structures begin with their size, which the caller sets: a library that knows more members fills
 * in only those the caller has room for, and takes those for zero that the caller does not know.
 * Texts are UTF-8 and end with a zero byte. What a function needs and is null, a size that no
 * struct of this version has: VBN_INVALID, or from a function that returns no status nothing, null,
 * 0 or -1; vbn_error() says what was wrong. */

/** What the user has set; everything else is chosen. */
typedef struct vbn_wishes {
  uint32_t struct_bytes;
  uint32_t port;          /**< counts from 1; 0 for any */
  const char* device;     /**< its name, or its provider's ("softnic"); null or "" for any */
  int32_t gid_index;      /**< -1 for any */
  uint32_t family;        /**< of the GID: 4, 6, or 0 for any */
  int32_t pkey;           /**< -1 for any */
  int32_t service_level;  /**< -1 for the default */
  uint32_t mtu_bytes;     /**< 256 to 4096; 0 for the port's */
  uint32_t traffic_class; /**< of RoCE v2: DSCP times 4, and ECN; at most 255; 0 is the default */
  /** Where softnic is reached by ports of other hosts: "ADDRESS[:PORT[-LAST]]", IPv6 in brackets
   * before a port. Null or "": as VERBENA_SOFTNIC_TCP says, or not at all. */
  const char* listen;
} vbn_wishes;

/** One port of a device. */
typedef struct vbn_port {
  uint32_t struct_bytes;
  uint32_t port; /**< counts from 1 */
  char device[64];
  char provider[32];
  uint64_t node_guid;
  uint32_t state;      /**< as in verbs: 1 down, 2 initializing, 3 armed, 4 active */
  uint32_t link_layer; /**< 1 InfiniBand, 2 Ethernet */
  uint32_t lid;        /**< 0 on RoCE */
  uint32_t mtu_bytes;
  double gigabits_per_second;
  uint32_t gid_count;
  uint32_t
      usable; /**< 1 when it meets the wishes; else vbn_devices_hindrance() says what does not */
  uint32_t chosen; /**< 1 for one port at most */
  uint32_t max_queue_pairs;
  uint32_t max_work_requests; /**< of one queue */
  uint32_t max_sge;
  uint32_t max_completions; /**< of one completion queue */
  uint32_t max_shared_receives;
  uint64_t max_region_bytes;
} vbn_port;

typedef struct vbn_gid {
  uint32_t struct_bytes;
  uint32_t index;
  uint8_t raw[16];
  char text[48]; /**< "10.0.0.1", "fe80::1" */
  char type[16]; /**< "RoCE v2", "RoCE v1", "InfiniBand" */
  uint32_t chosen;
  uint32_t reserved;
} vbn_gid;

/** What was found at one moment. Read by any number of threads, freed by one. */
typedef struct vbn_devices vbn_devices;

/** Looks at all devices and chooses as `wishes` say (null for none). That there are no devices is
 * not a failure: the reasons tell. May take milliseconds for each device. */
VBN_API vbn_status vbn_devices_survey(const vbn_wishes* wishes, vbn_devices** found) VBN_NOEXCEPT;
/** Null is let pass. */
VBN_API void vbn_devices_free(vbn_devices* found) VBN_NOEXCEPT;

VBN_API uint32_t vbn_devices_port_count(const vbn_devices* found) VBN_NOEXCEPT;
VBN_API vbn_status vbn_devices_port(const vbn_devices* found, uint32_t row,
                                    vbn_port* port) VBN_NOEXCEPT;
/** "" for a usable port, null for a row that is not there. Valid until `found` is freed, like all
 * below. */
VBN_API const char* vbn_devices_hindrance(const vbn_devices* found, uint32_t row) VBN_NOEXCEPT;
VBN_API vbn_status vbn_devices_gid(const vbn_devices* found, uint32_t row, uint32_t number,
                                   vbn_gid* gid) VBN_NOEXCEPT;

/** The sentences of why the port was chosen, or why none could be; null behind the last. */
VBN_API const char* vbn_devices_reason(const vbn_devices* found, uint32_t number) VBN_NOEXCEPT;
/** What hinders this process apart from single ports: no libibverbs, no permission, a low limit of
 * locked memory. Null behind the last. */
VBN_API const char* vbn_devices_trouble(const vbn_devices* found, uint32_t number) VBN_NOEXCEPT;

/* ---- endpoints ---------------------------------------------------------------------------------
 *
 * One node's end of its connections: a device, an engine, a connection manager. What moves are the
 * bytes of lanes (docs/protocol.md, "Lanes") and of one control stream per connection.
 *
 * No function waits unless it says so, and none calls back: what happened is asked for. Functions
 * that take a link do nothing when it is not there any more; its end is told by
 * vbn_endpoint_news(). Everything but vbn_endpoint_close() may be called by any thread at any time,
 * except that one thread at a time calls progress, arm and wait. */

struct vbn_fabric_options;

typedef struct vbn_endpoint_options {
  uint32_t struct_bytes;
  uint32_t node_id;     /**< unsigned 16-bit */
  uint64_t incarnation; /**< random, not 0: one life of the node */
  const char* cluster;  /**< nodes of other clusters are refused */
  const uint8_t* key;   /**< the cluster's secret; null for none. Copied. */
  uint64_t key_bytes;
  const char* listen;       /**< "host:port" (UDP); port 0 for any */
  const vbn_wishes* device; /**< null for none */
  uint32_t kernel_only;     /**< 1: softnic is not good enough unless it is wished for by name */
  uint32_t max_connections;
  uint32_t send_work_requests;  /**< of one connection */
  uint32_t signal_every;        /**< at least one of so many sends reports its completion */
  uint32_t buffer_bytes;        /**< of one receive buffer */
  uint32_t buffers_per_receive; /**< 1 to 4; times buffer_bytes is the largest send that is taken */
  uint32_t receive_work_requests; /**< that windows of all connections may grow by */
  uint32_t window;                /**< sends with payload a peer may have under way to us, once its
                                       window has grown: from 2 on */
  uint32_t control_bytes;         /**< of the ring of one control stream */
  uint32_t reserved;              /**< 0 */
  uint64_t heartbeat_ns;          /**< a silent peer is asked for a sign of life after this */
  uint64_t dead_after_ns;         /**< and taken for dead after this */
  uint64_t discovery_ns; /**< how often known peers without a link are asked whether they are
                            there; 0: not at all. A name that is not found is looked up
                            again at the next dial */
  /** Room for one-sided memory and channels besides, under the same node; null for none.
   * fabric.h: vbn_endpoint_fabric() */
  const struct vbn_fabric_options* fabric;
} vbn_endpoint_options;

typedef struct vbn_endpoint vbn_endpoint;

VBN_API vbn_status vbn_endpoint_open(const vbn_endpoint_options* options,
                                     vbn_endpoint** opened) VBN_NOEXCEPT;
/** Closes every link and waits for their ends, up to a second or so; no other call may be going on
 * or follow. Memory of lanes stays valid until it is freed. Null is let pass. */
VBN_API void vbn_endpoint_close(vbn_endpoint* endpoint) VBN_NOEXCEPT;

/** Where the endpoint is reached, "host:port". Valid until it is closed, like the next. */
VBN_API const char* vbn_endpoint_address(const vbn_endpoint* endpoint) VBN_NOEXCEPT;
/** Sentences: which device was chosen and why, what memory is used; null behind the last. */
VBN_API const char* vbn_endpoint_describe(const vbn_endpoint* endpoint,
                                          uint32_t number) VBN_NOEXCEPT;

/* -- peers */

/** Where a peer is looked for, "host:port" or "[v6]:port"; replaces a former address. */
VBN_API vbn_status vbn_endpoint_add_peer(vbn_endpoint* endpoint, uint32_t peer,
                                         const char* address) VBN_NOEXCEPT;
/** The peer is not looked for any more, a dial of it fails, a link with it goes down. It may dial,
 * still. */
VBN_API vbn_status vbn_endpoint_remove_peer(vbn_endpoint* endpoint, uint32_t peer) VBN_NOEXCEPT;
/** 1 if a peer answered when it was last asked or dialled, or connected; else 0. Peers without a
 * link are asked only where `discovery_ns` is set: elsewhere one that has left shows at the next
 * dial. */
VBN_API int32_t vbn_endpoint_is_reachable(const vbn_endpoint* endpoint, uint32_t peer) VBN_NOEXCEPT;

/* -- links */

/** Begins to connect to a node, unless that is going on; how it ends is news. Threads that dial one
 * peer share the attempt. `address`: as of vbn_endpoint_add_peer(), which it includes; null for the
 * one that was added. */
VBN_API vbn_status vbn_endpoint_dial(vbn_endpoint* endpoint, uint32_t peer, const char* address,
                                     uint64_t timeout_ns) VBN_NOEXCEPT;
/** Takes a link down; the far side is told the reason. */
VBN_API void vbn_link_close(vbn_endpoint* endpoint, uint64_t link, const char* reason) VBN_NOEXCEPT;

#define VBN_NEWS_UP 1u          /**< a link is up */
#define VBN_NEWS_DOWN 2u        /**< it is down: nothing goes to it, and what still comes is void */
#define VBN_NEWS_DIAL_FAILED 3u /**< no link came of a dial */
/** Nothing more comes of a link. Told last, and of links that never came up, too: bytes of those
 * may have arrived, as the far side can be up before this one. */
#define VBN_NEWS_GONE 4u

/** Why a dial failed. */
#define VBN_REFUSED_PROTOCOL 1u
#define VBN_REFUSED_IDENTITY 2u
#define VBN_REFUSED_KEY 3u
#define VBN_REFUSED_CROSSED 4u
#define VBN_REFUSED_CLOSING 5u
#define VBN_REFUSED_TIMEOUT 6u
#define VBN_REFUSED_LOCAL 7u

#define VBN_SERVICE_LANES 1u
#define VBN_SERVICE_MEMORY 2u  /**< fabric.h */
#define VBN_SERVICE_CHANNEL 3u /**< channel.h */

typedef struct vbn_news {
  uint32_t struct_bytes;
  uint32_t kind;
  uint64_t link; /**< never used again after its end; 0 if a dial failed */
  uint64_t incarnation;
  uint32_t peer;
  uint32_t dialled; /**< 1: the link came of a dial of this side */
  uint32_t refusal; /**< why a dial failed */
  uint32_t service; /**< what the link is for: VBN_SERVICE_*; 0 of one that has gone */
  char text[512];   /**< the far side's address, or the reason */
} vbn_news;

/** Takes the oldest piece of news. Returns 1 if there was one, 0 if not, -1 for a struct of unknown
 * size. */
VBN_API int32_t vbn_endpoint_news(vbn_endpoint* endpoint, vbn_news* news) VBN_NOEXCEPT;

/* -- lanes */

/** Registered, page-aligned, zeroed memory of one outgoing lane. */
typedef struct vbn_ring vbn_ring;

/** `bytes`: the control page of 4096 bytes and the ring's capacity, a power of two. */
VBN_API vbn_status vbn_ring_allocate(vbn_endpoint* endpoint, uint64_t bytes, vbn_ring** ring,
                                     void** memory) VBN_NOEXCEPT;
/** The memory itself goes when no send uses it any more. Possible before and after the endpoint's
 * close. Null is let pass. */
VBN_API void vbn_ring_free(vbn_ring* ring) VBN_NOEXCEPT;

/** Page-aligned, zeroed memory of one incoming lane, which its writer may be allowed to write
 * itself. */
typedef struct vbn_replica vbn_replica;

/** `bytes`: as of vbn_ring_allocate. */
VBN_API vbn_status vbn_replica_allocate(vbn_endpoint* endpoint, uint64_t bytes,
                                        vbn_replica** replica, void** memory) VBN_NOEXCEPT;
/** Whoever knows the key, and has a link to this endpoint, may write the ring that begins at
 * `address`. What was granted before is revoked: nothing is written with earlier keys any more. */
VBN_API vbn_status vbn_replica_grant(vbn_endpoint* endpoint, vbn_replica* replica,
                                     uint64_t* address, uint32_t* key) VBN_NOEXCEPT;
VBN_API void vbn_replica_revoke(vbn_replica* replica) VBN_NOEXCEPT;
/** Possible before and after the endpoint's close. Null is let pass. */
VBN_API void vbn_replica_free(vbn_replica* replica) VBN_NOEXCEPT;

/** Sends a lane's published bytes from `from` on. `boundary`: where a frame starts at or behind
 * `from`, everything below it published. `lane` is the lane's id. */
VBN_API vbn_status vbn_link_open_lane(vbn_endpoint* endpoint, uint64_t link, uint32_t lane,
                                      vbn_ring* ring, uint64_t from,
                                      uint64_t boundary) VBN_NOEXCEPT;
/** From here on large pieces of the lane are written into the far side's ring, as long as ours,
 * which it has granted (vbn_replica_grant). */
VBN_API void vbn_link_place_lane(vbn_endpoint* endpoint, uint64_t link, uint32_t lane,
                                 uint64_t address, uint32_t key) VBN_NOEXCEPT;
/** When this returns nothing looks at the lane's memory any more but sends under way. */
VBN_API void vbn_link_close_lane(vbn_endpoint* endpoint, uint64_t link, uint32_t lane) VBN_NOEXCEPT;
/** Where in the control page the position stands up to which bytes were handed to the device; 64
 * bits, written with release before they are. */
#define VBN_RING_POSTED_OFFSET 256u

/** Posts what is published. Returns 1 when there is more that cannot be posted now: it goes on by
 * itself; else 0. */
VBN_API int32_t vbn_link_pump(vbn_endpoint* endpoint, uint64_t link) VBN_NOEXCEPT;

/** Puts bytes on the control stream; returns how many there was room for. */
VBN_API uint64_t vbn_link_write(vbn_endpoint* endpoint, uint64_t link, const void* bytes,
                                uint64_t count) VBN_NOEXCEPT;

/* -- rounds */

/** One piece of payload in a receive buffer. */
typedef struct vbn_piece {
  const void* start;
  uint64_t bytes;
} vbn_piece;

#define VBN_MAX_PIECES 4u
/** The stream that is no lane: control. Lane n is stream n + 1. */
#define VBN_CONTROL_STREAM 0u

/** Bytes of one stream that arrived together. */
typedef struct vbn_arrival {
  uint64_t link;
  uint64_t position; /**< in the stream, of the first byte */
  uint32_t stream;
  uint32_t bytes;
  uint32_t receive;     /**< for the library */
  uint32_t piece_count; /**< 0: the far side has written them into the granted ring */
  vbn_piece pieces[VBN_MAX_PIECES];
} vbn_arrival;

/** One round: takes completions, hands out up to `room` arrivals, goes on with what could not be
 * posted before. The arrivals' memory is valid until the next round, which gives it back.
 * Returns the number of arrivals in the low 32 bits, and flags. */
VBN_API uint64_t vbn_endpoint_progress(vbn_endpoint* endpoint, vbn_arrival* arrivals,
                                       uint32_t room) VBN_NOEXCEPT;
#define VBN_ROUND_NEWS (1ull << 32) /**< there is news */
#define VBN_ROUND_WORK (1ull << 33) /**< something was done */

/** What completes or becomes news from here on ends the next wait; do one more round in between. */
VBN_API void vbn_endpoint_arm(vbn_endpoint* endpoint) VBN_NOEXCEPT;
/** Blocks until something completed, there is news, vbn_endpoint_wake() or the time is over. */
VBN_API void vbn_endpoint_wait(vbn_endpoint* endpoint, uint64_t timeout_ns) VBN_NOEXCEPT;
/** Ends a wait that is going on or about to begin. */
VBN_API void vbn_endpoint_wake(vbn_endpoint* endpoint) VBN_NOEXCEPT;

/** Since the start. */
typedef struct vbn_counters {
  uint32_t struct_bytes;
  uint32_t connections;
  uint64_t links_made, links_lost;
  uint64_t refused_protocol, refused_identity, refused_key;
  uint64_t exchange_packets_in, exchange_packets_out;
  uint64_t receive_buffer_bytes, bytes_per_connection, completion_queue_bytes;
} vbn_counters;
VBN_API vbn_status vbn_endpoint_counters(const vbn_endpoint* endpoint,
                                         vbn_counters* counters) VBN_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
