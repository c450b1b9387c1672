// SPDX-License-Identifier: Apache-2.0
/** What a node counts: lanes and connections report here, the public metrics read it. */
@NullMarked
package io.verbena.internal.metrics;

import org.jspecify.annotations.NullMarked;
