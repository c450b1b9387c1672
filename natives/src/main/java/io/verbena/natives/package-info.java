// SPDX-License-Identifier: Apache-2.0
/**
 * The C ABI of libverbena ({@code native/include}): loading it, its structs and calls, and what
 * keeps its handles alive while they are used.
 */
@NullMarked
package io.verbena.natives;

import org.jspecify.annotations.NullMarked;
