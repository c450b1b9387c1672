// SPDX-License-Identifier: Apache-2.0
/** What the machine itself can do, without Verbena: the figures to hold others against. */
@NullMarked
package io.verbena.bench.raw;

import org.jspecify.annotations.NullMarked;
