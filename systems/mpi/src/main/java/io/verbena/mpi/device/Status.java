// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a message that was received or found.
 *
 * @param source the sender's number in the context
 * @param bytes how many the message has; more than were received if it was truncated
 * @param note what its sender has put beside it; null if nothing
 */
public record Status(int source, int tag, long bytes, @Nullable Note note) {}
