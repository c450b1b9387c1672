// SPDX-License-Identifier: Apache-2.0

/** The log of a region: records in segments, written by groups and read back. */
@NullMarked
package io.verbena.kv.store.log;

import org.jspecify.annotations.NullMarked;
