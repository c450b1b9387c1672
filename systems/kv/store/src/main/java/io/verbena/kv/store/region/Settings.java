// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import java.time.Duration;

/**
 * How a region works.
 *
 * @param waitsForDisk whether a write returns only when it is durable
 * @param inlineLimit values of more bytes than this stay in the log
 * @param tablePairs writes that a table in memory takes
 * @param tableBytes memory of a table
 * @param writeWait how long a write waits for room in memory
 * @param snapshotAge when snapshots are dropped
 * @param spaceAmplification bytes of the log for each live one, before space is made
 */
public record Settings(
    boolean waitsForDisk,
    int inlineLimit,
    int tablePairs,
    long tableBytes,
    Duration writeWait,
    Duration snapshotAge,
    double spaceAmplification) {}
