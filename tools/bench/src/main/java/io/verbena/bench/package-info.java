// SPDX-License-Identifier: Apache-2.0
/**
 * Measures Verbena: say what in a {@link io.verbena.bench.plan.BenchPlan}, run a {@link
 * io.verbena.bench.Bench}.
 */
@NullMarked
package io.verbena.bench;

import org.jspecify.annotations.NullMarked;
