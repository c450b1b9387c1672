// SPDX-License-Identifier: Apache-2.0

/**
 * MPJ Express' upper layers over the device of {@code io.verbena.mpi.device}: what tests compile
 * against its jars, outside the build, and run programs with.
 */
package io.verbena.mpi.express;
