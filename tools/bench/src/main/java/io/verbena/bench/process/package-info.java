// SPDX-License-Identifier: Apache-2.0
/**
 * Child processes that do not outlive the one that started them. On hosts of a file they are the
 * ranks of a job ({@link io.verbena.bench.process.RankProcesses}). Here they are not: who measures
 * needs neither the native launcher, which is not built everywhere, nor a path over which a report
 * has 64 KiB at most, and hears the last words of each process for itself. Foreign peers, raw
 * baselines and native tools are no nodes at all.
 */
@NullMarked
package io.verbena.bench.process;

import org.jspecify.annotations.NullMarked;
