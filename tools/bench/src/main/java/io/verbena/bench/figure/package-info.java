// SPDX-License-Identifier: Apache-2.0
/** Single things that are measured in rounds, perhaps beside another one, and what they reach. */
@NullMarked
package io.verbena.bench.figure;

import org.jspecify.annotations.NullMarked;
