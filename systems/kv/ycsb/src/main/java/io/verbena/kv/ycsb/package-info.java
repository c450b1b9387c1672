// SPDX-License-Identifier: Apache-2.0
/** The store under YCSB, which is run as it is. */
@NullMarked
package io.verbena.kv.ycsb;

import org.jspecify.annotations.NullMarked;
