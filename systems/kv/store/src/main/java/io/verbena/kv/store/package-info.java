// SPDX-License-Identifier: Apache-2.0

/** An embedded key-value store. {@link io.verbena.kv.store.Store} is the way in. */
@NullMarked
package io.verbena.kv.store;

import org.jspecify.annotations.NullMarked;
