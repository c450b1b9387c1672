// SPDX-License-Identifier: Apache-2.0
/** One-sided memory between two processes, as programs in C and in Java have it. */
@NullMarked
package io.verbena.bench.fabric;

import org.jspecify.annotations.NullMarked;
