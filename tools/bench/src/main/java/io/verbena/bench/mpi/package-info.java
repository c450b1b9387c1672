// SPDX-License-Identifier: Apache-2.0
/**
 * MPI between ranks of this host: its device and package {@code mpi}, beside Open MPI in C and MPJ
 * Express.
 *
 * <p>{@link io.verbena.bench.mpi.ApiTimes} and what it uses ({@code Operation}, {@code Content},
 * {@code Expectation}, {@code Ranks}, {@code Rounds}) know the JDK and package {@code mpi} alone,
 * for they are compiled against MPJ Express as well; {@code peers/mpi/mpi_times.c} does the same in
 * C.
 */
@NullMarked
package io.verbena.bench.mpi;

import org.jspecify.annotations.NullMarked;
