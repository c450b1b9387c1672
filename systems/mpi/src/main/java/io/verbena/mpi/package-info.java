// SPDX-License-Identifier: Apache-2.0

/**
 * MPI for Java programs: the ranks of a job ({@link io.verbena.mpi.World}), and the groups of them
 * that talk among themselves ({@link io.verbena.mpi.Communicator}). Names and meanings are those of
 * the MPI standard, in the sections that the types name.
 */
@NullMarked
package io.verbena.mpi;

import org.jspecify.annotations.NullMarked;
