// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

/**
 * Says that all messages of a phase have arrived at its sender, and what they gave there.
 *
 * @param phase the how-manieth phase
 * @param count what the sender has counted in it
 */
public record PhaseCount(long phase, long count) {}
