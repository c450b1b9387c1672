// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import org.jspecify.annotations.Nullable;

/** A rank that the request depends on has ended, or cannot be reached. */
public final class RankLostException extends DeviceException {

  private static final long serialVersionUID = 1;

  private final int rank;

  /**
   * Of a loss that is heard of otherwise than by a request.
   *
   * @param rank its number in the job
   */
  public RankLostException(int rank, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.rank = rank;
  }

  /** Its number in the job. */
  public int rank() {
    return rank;
  }

  /** The same for one more caller, whose stack it has. */
  @Override
  public RankLostException again() {
    return new RankLostException(rank, String.valueOf(getMessage()), this);
  }
}
