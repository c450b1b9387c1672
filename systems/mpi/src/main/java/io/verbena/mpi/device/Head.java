// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import org.jspecify.annotations.Nullable;

/**
 * What a message says of itself.
 *
 * @param source the sender's rank in the job
 * @param id what its sender calls it, to be told when it is matched; {@link Slots#NONE} if it need
 *     not be told
 */
record Head(int contextId, int source, int tag, long bytes, long id, @Nullable Note note) {}
