// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

/** How alike two groups, or two communicators, are (MPI 4.1, sections 7.3.1 and 7.4.1). */
public enum Similarity {

  /** Groups: the same members in the same order. Communicators: the same one. */
  IDENTICAL,

  /** Of communicators alone: not the same, but identical groups. */
  CONGRUENT,

  /** The same members in another order. */
  SIMILAR,

  /** Other members. */
  UNEQUAL
}
