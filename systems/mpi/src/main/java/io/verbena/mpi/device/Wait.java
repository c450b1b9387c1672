// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

/**
 * A thread that waits, and for what.
 *
 * @param thread its name
 * @param call what it does: send, synchronous send, receive, probe
 * @param rank the rank in the job that it waits for; {@link Device#ANY_SOURCE} if any
 * @param context the id of the context
 * @param tag the tag; {@link Device#ANY_TAG} if any
 * @param sinceNs when that began, as {@link System#nanoTime} has it
 */
public record Wait(String thread, String call, int rank, int context, int tag, long sinceNs) {

  /** How long it has lasted by now, ns. */
  public long forNs() {
    return System.nanoTime() - sinceNs;
  }

  @Override
  public String toString() {
    return "%s: %s, rank %s, context %d, tag %s, for %.3f s"
        .formatted(
            thread,
            call,
            rank == Device.ANY_SOURCE ? "any" : rank,
            context,
            tag == Device.ANY_TAG ? "any" : tag,
            forNs() / 1e9);
  }
}
