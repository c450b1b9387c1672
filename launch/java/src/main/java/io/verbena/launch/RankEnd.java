// SPDX-License-Identifier: Apache-2.0
package io.verbena.launch;

/**
 * A rank that has ended.
 *
 * @param rank its number
 * @param status 0: it ended well; else its exit status, or 128 and the signal's number
 */
public record RankEnd(int rank, int status) {}
