// SPDX-License-Identifier: Apache-2.0
/** What is to be measured: a {@link io.verbena.bench.plan.BenchPlan} and the words in it. */
@NullMarked
package io.verbena.bench.plan;

import org.jspecify.annotations.NullMarked;
