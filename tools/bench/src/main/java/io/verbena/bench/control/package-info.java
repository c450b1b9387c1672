// SPDX-License-Identifier: Apache-2.0
/** How the process that measures talks to the nodes it measures: one line per command or report. */
@NullMarked
package io.verbena.bench.control;

import org.jspecify.annotations.NullMarked;
