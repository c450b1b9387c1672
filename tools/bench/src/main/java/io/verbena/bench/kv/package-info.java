// SPDX-License-Identifier: Apache-2.0
/** The store under YCSB's workloads, in processes of their own, beside other engines. */
@NullMarked
package io.verbena.bench.kv;

import org.jspecify.annotations.NullMarked;
