// SPDX-License-Identifier: Apache-2.0
/**
 * Channels between two processes, beside bare memory and beside what would be used in their place.
 */
@NullMarked
package io.verbena.bench.channel;

import org.jspecify.annotations.NullMarked;
