// SPDX-License-Identifier: Apache-2.0
/**
 * Typed messaging between processes: open a {@link io.verbena.Node}, send records to other nodes by
 * number, get records and replies back.
 */
@NullMarked
package io.verbena;

import org.jspecify.annotations.NullMarked;
