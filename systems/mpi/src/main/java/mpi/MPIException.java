// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.jspecify.annotations.Nullable;

/**
 * A call has failed; the message says what, and which value against which limit. Unchecked, as in
 * MPJ Express; mpiJava's is checked, and its programs compile with this one, too.
 */
public class MPIException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** One without a message. */
  public MPIException() {}

  /** One that says why. */
  public MPIException(String message) {
    super(message);
  }

  /** One that another failure is behind. */
  public MPIException(Throwable cause) {
    super(cause.getMessage(), cause);
  }

  MPIException(String message, Throwable cause) {
    super(message, cause);
  }

  /** What the layers below have thrown, as a program of this one knows it. */
  static MPIException of(Exception why) {
    if (why instanceof MPIException known) {
      return known;
    }
    if (why instanceof InterruptedException) {
      Thread.currentThread().interrupt();
      return new MPIException("the thread was interrupted while it waited", why);
    }
    return new MPIException(why);
  }

  /** What is given. Throws one that says {@code otherwise} if there is nothing. */
  static <T> T given(@Nullable T value, String otherwise) {
    if (value == null) {
      throw new MPIException(otherwise);
    }
    return value;
  }

  /** Throws one unless something holds. */
  static void check(boolean isRight, String otherwise, Object... values) {
    if (!isRight) {
      throw new MPIException(otherwise.formatted(values));
    }
  }
}
