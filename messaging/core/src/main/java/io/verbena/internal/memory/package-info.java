// SPDX-License-Identifier: Apache-2.0
/**
 * Memory by its address, for those who write small messages: codecs and lanes. No module is given
 * it.
 */
@NullMarked
package io.verbena.internal.memory;

import org.jspecify.annotations.NullMarked;
