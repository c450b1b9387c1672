// SPDX-License-Identifier: Apache-2.0
/** The commands of {@code ./verbena}. */
@NullMarked
package io.verbena.cli;

import org.jspecify.annotations.NullMarked;
