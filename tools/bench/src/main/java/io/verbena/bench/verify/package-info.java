// SPDX-License-Identifier: Apache-2.0
/** Judges what arrived: order, gaps, repetitions and content, a few nanoseconds per message. */
@NullMarked
package io.verbena.bench.verify;

import org.jspecify.annotations.NullMarked;
