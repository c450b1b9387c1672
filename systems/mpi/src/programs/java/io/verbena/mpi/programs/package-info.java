// SPDX-License-Identifier: Apache-2.0

/**
 * Programs for the API of mpiJava 1.2 that say what they get, each line with its rank before it;
 * the same everywhere and each time. Compiled against MPJ Express' jar; they run on its device, on
 * ours below its upper layers, and on our own package.
 */
package io.verbena.mpi.programs;
