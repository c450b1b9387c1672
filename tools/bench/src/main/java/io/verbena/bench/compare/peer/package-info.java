// SPDX-License-Identifier: Apache-2.0
/** Systems that Verbena is compared with: their descriptions, builds, processes and reports. */
@NullMarked
package io.verbena.bench.compare.peer;

import org.jspecify.annotations.NullMarked;
