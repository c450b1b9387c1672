// SPDX-License-Identifier: Apache-2.0
/**
 * The C ABI of libverbena ({@code native/include/verbena.h}): loading it, its structs and calls.
 */
@NullMarked
package io.verbena.transport.rdma.internal;

import org.jspecify.annotations.NullMarked;
