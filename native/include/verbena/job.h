/* SPDX-License-Identifier: Apache-2.0
 *
 * A process as one of the ranks of a job: processes that were started together, by verbena-run or
 * somebody else who keeps the contract in docs/launch.md. A program that nobody started so is a job
 * of one rank.
 *
 * Threads: any thread may call anything at any time, but vbn_job_next_end(), which one at a time
 * calls, and vbn_job_free() of what others use. Times are in nanoseconds.
 */
#ifndef VERBENA_JOB_H
#define VERBENA_JOB_H

#include <verbena.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a rank may publish. */
#define VBN_JOB_MOST_BYTES 496u

typedef struct vbn_job vbn_job;

/** Finds this process' place in its job, as its environment says. Fails where that is no place, or
 * the job's key may be read by others. Where others than verbena-run have started the ranks, waits
 * for rank 0, or under PMIx for all, at most VERBENA_JOB_START_TIMEOUT seconds (60). */
VBN_API vbn_status vbn_job_open(vbn_job** opened) VBN_NOEXCEPT;
/** The rank goes on, and what it has published stays. Where no verbena-run sees the process itself,
 * this is the rank's end to the others, a good one; rank 0 stays in here until all know each other,
 * or are gone (docs/launch.md, "Ranks that others start"). Null is let pass. */
VBN_API void vbn_job_free(vbn_job* job) VBN_NOEXCEPT;

/** 0 to vbn_job_size() - 1. */
VBN_API uint32_t vbn_job_rank(const vbn_job* job) VBN_NOEXCEPT;
VBN_API uint32_t vbn_job_size(const vbn_job* job) VBN_NOEXCEPT;
/** The same among the ranks of this host. */
VBN_API uint32_t vbn_job_local_rank(const vbn_job* job) VBN_NOEXCEPT;
VBN_API uint32_t vbn_job_local_size(const vbn_job* job) VBN_NOEXCEPT;
/** 1 if this host has more ranks than processors: who waits had better yield than spin. */
VBN_API uint32_t vbn_job_is_oversubscribed(const vbn_job* job) VBN_NOEXCEPT;
/** No other job has it. Valid until the job is freed, like the next two. */
VBN_API const char* vbn_job_id(const vbn_job* job) VBN_NOEXCEPT;
/** The address of this host to listen at, so that all ranks get there: "10.0.0.1". "127.0.0.1"
 * where all ranks are on one host. */
VBN_API const char* vbn_job_host_address(const vbn_job* job) VBN_NOEXCEPT;
/** The job's secret, for vbn_fabric_options and the like; null, and no bytes, where there is none:
 * a program that is alone. */
VBN_API const uint8_t* vbn_job_key(const vbn_job* job, uint64_t* bytes) VBN_NOEXCEPT;

/** Tells all ranks how this one is reached: any bytes, at most VBN_JOB_MOST_BYTES. Once. */
VBN_API vbn_status vbn_job_publish(vbn_job* job, const void* address, uint64_t bytes) VBN_NOEXCEPT;
/** What a rank has published, copied into `room` bytes; waits until it has. `bytes`: its length.
 * Fails if the time is over, there is no room, or the rank has ended without. */
VBN_API vbn_status vbn_job_address(const vbn_job* job, uint32_t rank, uint64_t timeout_ns,
                                   void* into, uint64_t room, uint64_t* bytes) VBN_NOEXCEPT;
/** Waits until every rank has published. Fails likewise. */
VBN_API vbn_status vbn_job_await_all(const vbn_job* job, uint64_t timeout_ns) VBN_NOEXCEPT;

/** A rank that has ended. */
typedef struct vbn_job_end {
  uint32_t struct_bytes;
  uint32_t rank;
  uint32_t status; /**< 0: it ended well; else its exit status, or 128 and the signal's number. 137
                      for who went without a word, where no verbena-run sees the process */
  uint32_t reserved;
} vbn_job_end;

/** The next rank that has ended; each is told once. Waits; returns 1 if there is one, 0 if not
 * within the time, -1 for a struct of unknown size. */
VBN_API int32_t vbn_job_next_end(vbn_job* job, uint64_t timeout_ns, vbn_job_end* end) VBN_NOEXCEPT;
/** The same by number, for any number of threads: ends are counted from 0, in the order in which
 * this host heard of them. */
VBN_API int32_t vbn_job_end_at(const vbn_job* job, uint32_t number, uint64_t timeout_ns,
                               vbn_job_end* end) VBN_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
