// SPDX-License-Identifier: Apache-2.0
/** Results as pictures that are readable in black and white. */
@NullMarked
package io.verbena.bench.plot;

import org.jspecify.annotations.NullMarked;
