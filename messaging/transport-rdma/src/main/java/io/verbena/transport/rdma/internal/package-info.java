// SPDX-License-Identifier: Apache-2.0
/** Endpoints of the native library, as Java calls them. */
@NullMarked
package io.verbena.transport.rdma.internal;

import org.jspecify.annotations.NullMarked;
