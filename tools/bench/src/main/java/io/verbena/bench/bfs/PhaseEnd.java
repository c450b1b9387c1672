// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

/**
 * Says on a lane that a phase is over at its sender.
 *
 * @param phase the how-manieth phase
 * @param sent how many vertex messages were ever sent on this lane
 * @param sum of the {@link Pairs#digest digests} of all of them
 */
public record PhaseEnd(long phase, long sent, long sum) {}
