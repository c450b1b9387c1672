// SPDX-License-Identifier: Apache-2.0
/** Child processes that do not outlive the one that started them. */
@NullMarked
package io.verbena.bench.process;

import org.jspecify.annotations.NullMarked;
