// SPDX-License-Identifier: Apache-2.0
/** A node's counters: lanes and connections write them, the public metrics read them. */
@NullMarked
package io.verbena.internal.metrics;

import org.jspecify.annotations.NullMarked;
