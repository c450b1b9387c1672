// SPDX-License-Identifier: Apache-2.0
/** A contest, who can take part in it, and what a round of it gives. */
@NullMarked
package io.verbena.bench.compare.contest;

import org.jspecify.annotations.NullMarked;
