// SPDX-License-Identifier: Apache-2.0
/** What runs in a node that is measured. */
@NullMarked
package io.verbena.bench.node;

import org.jspecify.annotations.NullMarked;
