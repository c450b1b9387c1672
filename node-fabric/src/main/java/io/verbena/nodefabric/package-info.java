// SPDX-License-Identifier: Apache-2.0

/** One-sided memory and channels of a node: under its id, with its key, device and life. */
@NullMarked
package io.verbena.nodefabric;

import org.jspecify.annotations.NullMarked;
