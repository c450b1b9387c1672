// SPDX-License-Identifier: Apache-2.0
/**
 * Graph500's breadth-first search over node processes: generator, construction, search, validation
 * and statistics as the specification (graph500.org, "Graph 500 Benchmark 1") says.
 */
@NullMarked
package io.verbena.bench.bfs;

import org.jspecify.annotations.NullMarked;
