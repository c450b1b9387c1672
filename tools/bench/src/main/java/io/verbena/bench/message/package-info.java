// SPDX-License-Identifier: Apache-2.0
/**
 * What the workloads send: records of an exact size and views, with content that can be checked.
 */
@NullMarked
package io.verbena.bench.message;

import org.jspecify.annotations.NullMarked;
