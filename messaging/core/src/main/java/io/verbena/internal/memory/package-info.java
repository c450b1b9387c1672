// SPDX-License-Identifier: Apache-2.0
/**
 * Memory by its address, for those who write small messages: codecs and lanes; and memory that is
 * freed when nobody looks at it any more. No module is given it.
 */
@NullMarked
package io.verbena.internal.memory;

import org.jspecify.annotations.NullMarked;
