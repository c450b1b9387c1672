// SPDX-License-Identifier: Apache-2.0
/** OpenSHMEM between processes of this host, beside another library's. */
@NullMarked
package io.verbena.bench.shmem;

import org.jspecify.annotations.NullMarked;
