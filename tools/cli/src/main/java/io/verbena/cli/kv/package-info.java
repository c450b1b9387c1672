// SPDX-License-Identifier: Apache-2.0

/** The commands of the store. */
@NullMarked
package io.verbena.cli.kv;

import org.jspecify.annotations.NullMarked;
