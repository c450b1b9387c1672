// SPDX-License-Identifier: Apache-2.0

/** What the engine asks of a file system. */
@NullMarked
package io.verbena.kv.store.disk;

import org.jspecify.annotations.NullMarked;
