/* SPDX-License-Identifier: Apache-2.0
 *
 * The fabric of a rank: job.h and fabric.h together. Nodes have the numbers of their ranks and know
 * each other, so links and channels are made by rank:
 *
 *   vbn_job_open_fabric(job, NULL, 10 * SECONDS, &node);
 *   vbn_fabric_link(node, rank, SECONDS, &link);
 *   vbn_writer_open(node, rank, number, SECONDS, &writer);      (opened with `channels`)
 *
 * A rank has no links with itself.
 */
#ifndef VERBENA_RANKS_H
#define VERBENA_RANKS_H

#include <verbena/fabric.h>
#include <verbena/job.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Opens the node of this rank, publishes where it is, and waits until all ranks have done so. Its
 * number is the rank, cluster and key are the job's, it listens at the host's address, and on a job
 * of several hosts softnic does, too. On a host with more ranks than processors it sleeps at once.
 * `more`: anything else of the options; null for the defaults. What vbn_job_publish() does this has
 * done: not both. Fails if not all have published within the time, or one has ended without.
 *
 * As soon as the job says that a rank has failed the node takes it for dead: its links are down,
 * and calls of a channel with it come out with VBN_CHANNEL_LOST, behind what has come before. The
 * reason names the rank and its status. A reader that no writer has found yet hears nothing; there
 * is vbn_job_next_end() for that.
 *
 * The node is closed with vbn_fabric_close(), before or after the job is freed. */
VBN_API vbn_status vbn_job_open_fabric(vbn_job* job, const vbn_fabric_options* more,
                                       uint64_t timeout_ns, vbn_fabric** opened) VBN_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
