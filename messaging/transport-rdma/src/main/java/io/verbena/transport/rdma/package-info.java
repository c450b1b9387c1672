// SPDX-License-Identifier: Apache-2.0
/**
 * Verbs devices. What is native is copied into records: nothing here holds memory or a device.
 *
 * <p>The native library is the one packed with these classes, or the file that the system property
 * {@code verbena.native.library} names.
 */
@NullMarked
package io.verbena.transport.rdma;

import org.jspecify.annotations.NullMarked;
