// SPDX-License-Identifier: Apache-2.0

/** What all of the engine knows: keys as bytes, checksums, fields of little-endian records. */
@NullMarked
package io.verbena.kv.store.base;

import org.jspecify.annotations.NullMarked;
