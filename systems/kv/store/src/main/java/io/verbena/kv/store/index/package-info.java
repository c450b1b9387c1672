// SPDX-License-Identifier: Apache-2.0

/**
 * Sorted entries: tables in memory, trees of blocks in segments, filters, the cache of blocks,
 * merging.
 */
@NullMarked
package io.verbena.kv.store.index;

import org.jspecify.annotations.NullMarked;
