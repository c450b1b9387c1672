// SPDX-License-Identifier: Apache-2.0
/**
 * Verbena and its peers on the same work in one run: rounds alternate, and what counts is the ratio
 * of each pair.
 */
@NullMarked
package io.verbena.bench.compare;

import org.jspecify.annotations.NullMarked;
