// SPDX-License-Identifier: Apache-2.0

/**
 * Point-to-point messages as MPI has them: matched by context, source and tag, between the ranks of
 * a job. What an MPI of whatever face stands on; {@link io.verbena.mpi.device.Device} is the way
 * in.
 */
@NullMarked
package io.verbena.mpi.device;

import org.jspecify.annotations.NullMarked;
