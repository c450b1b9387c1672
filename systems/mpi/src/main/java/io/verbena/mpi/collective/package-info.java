// SPDX-License-Identifier: Apache-2.0

/**
 * Collective operations over the device alone: no types, no communicators. {@link
 * io.verbena.mpi.collective.Collectives} has the operations, {@link
 * io.verbena.mpi.collective.Choice} says by which algorithm each call goes.
 */
@NullMarked
package io.verbena.mpi.collective;

import org.jspecify.annotations.NullMarked;
