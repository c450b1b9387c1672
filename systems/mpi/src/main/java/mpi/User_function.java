// SPDX-License-Identifier: Apache-2.0
package mpi;

/** An operation of a program's own, for {@link Op}. */
public abstract class User_function {

  /** For programs that extend it. */
  public User_function() {}

  /**
   * Puts {@code invec op inoutvec} in place of what is in {@code inoutvec}, for {@code count} of
   * the datatype. Called by the thread that reduces; it must not communicate.
   *
   * @param invec an array of the base type, which is left as it is
   * @param inoffset where the first datatype begins in {@code invec}
   * @param inoutvec an array of the base type
   * @param inoutoffset where the first datatype begins in {@code inoutvec}
   * @param datatype that of the reduction
   */
  public abstract void Call(
      Object invec, int inoffset, Object inoutvec, int inoutoffset, int count, Datatype datatype)
      throws MPIException;
}
