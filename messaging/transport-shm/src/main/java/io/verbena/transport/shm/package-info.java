// SPDX-License-Identifier: Apache-2.0
/** Shared memory between processes of one host: lanes in files that the receiver reads in place. */
@NullMarked
package io.verbena.transport.shm;

import org.jspecify.annotations.NullMarked;
