// SPDX-License-Identifier: Apache-2.0
/**
 * Jobs ({@code docs/launch.md}): processes that were started together, and know their numbers and
 * each other. A {@link io.verbena.launch.Job} is this process' place among them.
 */
@NullMarked
package io.verbena.launch;

import org.jspecify.annotations.NullMarked;
