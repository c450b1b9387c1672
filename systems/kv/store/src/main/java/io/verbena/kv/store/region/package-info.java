// SPDX-License-Identifier: Apache-2.0

/** A region: log, tables and trees, who changes them and when. */
@NullMarked
package io.verbena.kv.store.region;

import org.jspecify.annotations.NullMarked;
